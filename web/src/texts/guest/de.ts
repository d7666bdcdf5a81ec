import { formatDay, formatInstant, formatNumber, plural } from '../../lib/format.ts';
import { photosAndVideos, type Counts } from '../../video/counts.ts';
import { shellDe } from './shell.de.ts';
import { join } from './texts.ts';

const kindsOf = (takesVideos: boolean): string => (takesVideos ? 'Fotos und Videos' : 'Fotos');

/** The German texts of the guests' page. Specified ones are to the letter (texts.test.ts); other languages have the same keys. */
const WAY = 'Etwas auf dem Weg zum Server hält Fotos auf. Ein anderes Netz hilft.';
const SEEN = 'Alle Gäste sehen, was hier hochgeladen wird,';
const ON_SITE = 'allen vor Ort, was der Gastgeber nicht zurückhält.';

export const guestDe = {
  page: {
    loadingFails: 'Das Event lässt sich gerade nicht öffnen',
    again: 'Die Seite versucht es von selbst wieder.',
    noConnection: 'Keine Verbindung zum Server.',
    noCode: 'Kein Event-Code angegeben',
    enterCode: 'Code eingeben',
    device: 'Gerätefehler',
    deviceText: 'Geräte-ID konnte nicht abgerufen werden.',
    password: 'Passwort erforderlich',
    passwordText: 'Für dieses Event ist ein Passwort erforderlich. Bitte klicken Sie auf "Freischalten", um das Passwort einzugeben.',
    passwordWrong: 'Das Passwort in diesem Link stimmt nicht (mehr).',
    unlock: 'Freischalten',
    notFound: join.failed as string,
    notOpen: 'Noch nicht geöffnet',
    opensOn: (day: string) => `Dieses Event öffnet am ${formatDay(day)}. Dann geht es hier los.`,
    uploadsOff: 'Für dieses Event sind Uploads ausgeschaltet.',
    uploadsOffText: 'Werden sie wieder eingeschaltet, geht es auf dieser Seite weiter.',
    otherEvent: 'Anderes Event öffnen',
  },
  form: {
    name: 'Dein Name',
    pick: 'Dateien auswählen',
    eventPassword: join.password as string,
    chosen: 'Ausgewählte Dateien',
    private: 'Nur der Gastgeber sieht alle Fotos. Sie werden verschlüsselt gespeichert.',
    sealed: 'Fotos werden verschlüsselt gespeichert.',
    gallery: 'Fotos aller Gäste',
    perDevice: (count: number) => plural(count, 'Bei diesem Event geht ein Foto je Gerät.', 'Bei diesem Event gehen # Fotos je Gerät.'),
    ownLater: 'Auch eigene Fotos sind hier erst nach der Enthüllung zu sehen.',
    own: (count: number) => `Meine Fotos (${formatNumber(count)})`,
    report: 'Foto melden',
  },
  bar: {
    region: 'Hochladen',
    hint: 'Noch dieser Haken, dann kann es losgehen.',
    /** The brackets mark the link to the notes on privacy. */
    consent: (videos: boolean) => `Ich habe die [Datenschutzhinweise] gelesen und darf diese ${kindsOf(videos)} teilen.`,
    originals: 'Der Gastgeber erhält die Originale, auch mit Aufnahmeort, falls gespeichert.',
    /** The viewers of a sent photo, if not the host alone. */
    seenBy: {
      open: 'Alle Gäste sehen sofort, was hier hochgeladen wird.',
      released: (minutes: number | null) =>
        `${SEEN} sobald der Gastgeber es freigibt${minutes === null ? '' : `, spätestens nach ${minutes} min`}.`,
      revealed: `${SEEN} sobald der Gastgeber enthüllt.`,
      from: (instant: string) => `${SEEN} ab ${formatInstant(instant)}.`,
      /** `now` applies before the reveal of the gallery, `later` from it on. */
      wall: {
        always: `Die Slideshow zeigt ${ON_SITE}`,
        now: `Die Slideshow zeigt schon vorher ${ON_SITE}`,
        later: `Die Slideshow zeigt dann ${ON_SITE}`,
      },
    },
    nothing: 'Bereit',
    done: '✓ Hochgeladen',
    send: (count: number) => 'Hochladen (N)'.replace('N', formatNumber(count)),
    running: (left: number) => 'Hochladen... (N verbleibend)'.replace('N', formatNumber(left)),
    /** Reasons why the button is off, for screen readers. */
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
    cloud: 'Dieses Handy lädt die Dateien erst aus der Cloud.',
    chooseAgain: (counts: Counts) => `${photosAndVideos(counts)} bitte noch einmal auswählen.`,
    gone: (count: number) => plural(count, 'Dieses Gerät hat es nicht mehr.', 'Dieses Gerät hat sie nicht mehr.'),
    silent: 'Die Fotos vom letzten Mal bitte noch einmal auswählen.',
    stuck: {
      line: 'Wartet auf Netz – geht von selbst weiter.',
      server: 'Wartet auf den Server – geht von selbst weiter.',
      way: WAY,
      device: 'Wartet auf den Speicher dieses Geräts – geht von selbst weiter.',
    },
    paused: (counts: Counts) =>
      `${photosAndVideos(counts)} ${plural(counts.photos + counts.videos, 'ist', 'sind')} noch nicht hochgeladen.`,
    safe: (stored: number, all: number) => `${formatNumber(stored)} von ${formatNumber(all)} angekommen.`,
    shown: (count: number) =>
      plural(count, 'Eines ist schon zu sehen, das Original folgt.', '# sind schon zu sehen, die Originale folgen.'),
    stayOpen: 'Bitte diese Seite offen lassen.',
    mayClose: 'Wird die Seite geschlossen, geht es beim nächsten Öffnen weiter.',
    more: 'Mehr',
    stop: 'Nicht weiter hochladen',
    ended: {
      removing: 'Das Hochladen ist beendet. Was zu sehen ist, wird noch entfernt: Bitte die Seite so lange offen lassen.',
      removed: 'Das Hochladen ist beendet. Was nicht angekommen war, ist nirgends zu sehen.',
    },
    elsewhere: (stored: number, all: number) => `In einem anderen Fenster: ${formatNumber(stored)} von ${formatNumber(all)} angekommen.`,
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
  /** Texts for failures that the page itself notices, by their codes. */
  failed: {
    no_connection: shellDe.noConnection,
    too_large: 'Diese Datei ist zu groß.',
    unreadable: 'Diese Datei lässt sich nicht mehr lesen.',
    device_silent: 'Der Speicher dieses Geräts antwortet gerade nicht.',
    altered: 'Dieses Foto kam verändert an.',
    not_ours: 'Auf dem Weg zum Server aufgehalten.',
  },
  /** Announcements for screen readers. */
  said: {
    progress: (percent: number) => `${percent} Prozent hochgeladen`,
    stuck: {
      line: 'Das Hochladen wartet auf das Netz',
      server: 'Das Hochladen wartet auf den Server',
      way: WAY,
      device: 'Das Hochladen wartet auf den Speicher dieses Geräts',
    },
    done: 'Alles ist hochgeladen',
    failed: (count: number) => `Fertig, ${formatNumber(count)} fehlgeschlagen`,
  },
};
