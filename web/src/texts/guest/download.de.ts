import { download } from '../../texts.ts';

/** The German texts of the page of a photo's link. */
export const downloadDe = {
  photo: 'Ihr Foto',
  video: 'Ihr Video',
  loading: 'Die Vorschau wird geladen …',
  noPreview: download.noPreview as string,
  preview: 'Vorschau Ihres Fotos',
  button: download.button as string,
  busy: download.busy as string,
  done: download.done as string,
  doneText: download.doneText as string,
  valid: download.valid as string,
  safe: download.safe as string,
  error: download.error as string,
  noToken: download.noToken as string,
  home: download.home as string,
  expired: download.expired as string,
  invalid: download.invalid as string,
  failed: (why: string) => download.failed.replace('{message}', () => why),
  /** Reasons for `failed`. */
  line: 'Keine Verbindung',
  status: (status: number) => `Status ${status}`,
  awaited: 'Dein Foto ist noch unterwegs',
  awaitedText:
    'Die Fotobox hat gerade kein Netz. Sobald das Foto da ist, erscheint es hier von selbst; die Seite lässt sich auch später wieder öffnen.',
  report: 'Foto melden',
  reportVideo: 'Video melden',
};
