import { formatDay, formatInstant, formatNumber, plural } from '../../lib/format.ts';
import { photosAndVideos, type Counts } from '../../video/counts.ts';
import { join } from './texts.ts';

const kindsOf = (takesVideos: boolean): string => (takesVideos ? 'Fotos und Videos' : 'Fotos');

/** What the guests' page says, in German; other languages say the same (`GuestTexts`). What the specification names is to its letter (texts.test.ts). */
export const de = {
  page: {
    loadingFails: 'Das Event lässt sich gerade nicht öffnen',
    again: 'Die Seite versucht es von selbst wieder.',
    noConnection: 'Keine Verbindung zum Server.',
    retry: 'Erneut versuchen',
    noCode: 'Kein Event-Code angegeben',
    enterCode: 'Code eingeben',
    device: 'Gerätefehler',
    deviceText: 'Geräte-ID konnte nicht abgerufen werden.',
    password: 'Passwort erforderlich',
    passwordText: 'Für dieses Event ist ein Passwort erforderlich. Bitte klicken Sie auf "Freischalten", um das Passwort einzugeben.',
    passwordWrong: 'Das Passwort in diesem Link stimmt nicht (mehr).',
    unlock: 'Freischalten',
    notFound: join.failed,
    notOpen: 'Noch nicht geöffnet',
    opensOn: (day: string) => `Dieses Event öffnet am ${formatDay(day)}. Dann geht es hier los.`,
    uploadsOff: 'Für dieses Event sind Uploads ausgeschaltet.',
    uploadsOffText: 'Der Gastgeber kann sie wieder einschalten; dann geht es auf dieser Seite weiter.',
    otherEvent: 'Anderes Event öffnen',
  },
  form: {
    name: 'Dein Name',
    pick: 'Dateien auswählen',
    eventPassword: join.password,
    chosen: 'Ausgewählte Dateien',
    private: 'Nur der Gastgeber sieht alle Fotos. Sie werden verschlüsselt gespeichert.',
    sealed: 'Fotos werden verschlüsselt gespeichert.',
    gallery: 'Fotos aller Gäste',
    perDevice: (count: number) => plural(count, 'Bei diesem Event geht ein Foto je Gerät.', 'Bei diesem Event gehen # Fotos je Gerät.'),
    ownLater: 'Auch Ihre eigenen Fotos sehen Sie hier erst nach der Enthüllung.',
    own: (count: number) => `Meine Fotos (${formatNumber(count)})`,
    report: 'Foto melden',
    privacy: 'Datenschutz',
    imprint: 'Impressum',
  },
  bar: {
    region: 'Hochladen',
    hint: 'Noch dieser Haken, dann kann es losgehen.',
    consent: {
      before: 'Ich habe die ',
      link: 'Datenschutzhinweise',
      after: (videos: boolean) => ` gelesen und darf diese ${kindsOf(videos)} teilen.`,
    },
    originals: 'Der Gastgeber erhält die Originale, auch mit Aufnahmeort, falls gespeichert.',
    /** Who sees what is sent, where that is not the host alone. */
    seenBy: {
      open: 'Alle Gäste sehen dieses Foto, sobald es da ist.',
      released: (minutes: number | null) =>
        `Alle Gäste sehen dieses Foto, sobald der Gastgeber es freigibt${minutes === null ? '' : `, spätestens nach ${minutes} min`}.`,
      revealed: 'Alle Gäste sehen dieses Foto, sobald der Gastgeber enthüllt.',
      from: (instant: string) => `Alle Gäste sehen dieses Foto ab ${formatInstant(instant)}.`,
    },
    nothing: 'Bereit',
    done: '✓ Hochgeladen',
    send: (count: number) => 'Hochladen (N)'.replace('N', formatNumber(count)),
    running: (left: number) => 'Hochladen... (N verbleibend)'.replace('N', formatNumber(left)),
    /** Why the button is off, for those who can't see the page. */
    off: {
      running: 'Es wird gerade hochgeladen.',
      nothing: 'Bitte zuerst etwas auswählen.',
      done: 'Alles ist hochgeladen.',
      hopeless: 'Was rot ist, lässt sich nicht hochladen.',
    },
  },
  leave: {
    uploading: 'Es wird noch hochgeladen. Die Seite trotzdem verlassen?',
    unsent: 'Die Auswahl ist noch nicht hochgeladen. Die Seite trotzdem verlassen?',
  },
  status: {
    cloud: 'Ihr Handy lädt die Dateien erst aus der Cloud.',
    chooseAgain: (counts: Counts) => `${photosAndVideos(counts)} bitte noch einmal auswählen.`,
    gone: (count: number) => plural(count, 'Dieses Gerät hat es nicht mehr.', 'Dieses Gerät hat sie nicht mehr.'),
    stuck: {
      line: 'Wartet auf Netz – geht von selbst weiter.',
      server: 'Wartet auf den Server – geht von selbst weiter.',
      device: 'Wartet auf den Speicher dieses Geräts – geht von selbst weiter.',
    },
    paused: (counts: Counts) =>
      `${photosAndVideos(counts)} ${plural(counts.photos + counts.videos, 'ist', 'sind')} noch nicht hochgeladen.`,
    safe: (stored: number, all: number) => `${formatNumber(stored)} von ${formatNumber(all)} sicher gespeichert.`,
    shown: (count: number) => plural(count, 'Ein weiteres ist schon zu sehen.', '# weitere sind schon zu sehen.'),
    stayOpen: 'Bitte diese Seite offen lassen.',
    mayClose: 'Wird die Seite geschlossen, geht es beim nächsten Öffnen weiter.',
    stop: 'Nicht weiter hochladen',
    elsewhere: (stored: number, all: number) =>
      `In einem anderen Fenster: ${formatNumber(stored)} von ${formatNumber(all)} sicher gespeichert.`,
    requests: (ids: readonly string[]) => `(${plural(ids.length, 'Kennung', 'Kennungen')} ${ids.join(', ')})`,
  },
  thanks: {
    title: (name: string) => (name ? `Danke, ${name}!` : 'Danke!'),
    all: (counts: Counts) => `${photosAndVideos(counts)} ${plural(counts.photos + counts.videos, 'ist', 'sind')} angekommen.`,
    partly: (stored: number, { photos, videos }: Counts) => {
      const noun = videos === 0 ? 'Fotos' : photos === 0 ? 'Videos' : 'Fotos und Videos';
      return `${formatNumber(stored)} von ${formatNumber(photos + videos)} ${noun} ${plural(stored, 'ist', 'sind')} angekommen.`;
    },
  },
  tile: {
    waiting: 'ausgewählt',
    sending: 'wird hochgeladen',
    announced: 'Original folgt',
    stored: 'hochgeladen',
    failed: 'fehlgeschlagen',
    resends: 'wartet',
    heic: 'HEIC Format',
    remove: 'entfernen',
    view: (name: string) => `${name}, ansehen`,
  },
  /** What no server said: by its code. */
  failed: {
    too_large: 'Diese Datei ist zu groß.',
    unreadable: 'Diese Datei lässt sich nicht mehr lesen.',
    device_silent: 'Der Speicher dieses Geräts antwortet gerade nicht.',
    altered: 'Dieses Foto kam verändert an.',
  },
  /** Heard by screen readers. */
  said: {
    progress: (percent: number) => `${percent} Prozent hochgeladen`,
    stuck: {
      line: 'Das Hochladen wartet auf das Netz',
      server: 'Das Hochladen wartet auf den Server',
      device: 'Das Hochladen wartet auf den Speicher dieses Geräts',
    },
    done: 'Alles ist hochgeladen',
    failed: (count: number) => `Fertig, ${formatNumber(count)} fehlgeschlagen`,
  },
};
