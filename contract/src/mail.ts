/** A mail as shipped; operators may change subject and body. */
interface Template {
  to: 'host' | 'operator';
  /** Name of the mail in the settings. */
  name: string;
  /** Mails that hosts can unsubscribe from; those with the same kind go together. */
  kind?: string;
  /** Variables beside those of all mails to this recipient. */
  variables: readonly string[];
  /** Variables that the body must contain. */
  needs?: readonly string[];
  subject: string;
  body: string;
}

/** Variables of all mails to a host, and to the operator. */
const VARIABLES = {
  host: ['anrede', 'titel', 'code', 'beginn', 'ende', 'loeschtag', 'marke'],
  operator: ['marke'],
} as const;

/**
 * All mails, by topic. A body is paragraphs separated by an empty line; a paragraph `[Words]({link})` is a button, `{name}` a variable. No
 * mail contains a guest's name or a photo.
 */
export const MAILS = {
  invitation: {
    to: 'host',
    name: 'Einladung',
    variables: ['link', 'bis'],
    needs: ['link'],
    subject: 'Ihr Zugang zu „{titel}“',
    body: `{anrede},

für „{titel}“ ({beginn}) ist alles vorbereitet. Über den Knopf legen Sie Ihr Passwort fest. Danach können Sie die Karten für Ihre Gäste drucken, die Slideshow starten und alle Fotos sehen.

[Passwort festlegen]({link})

Die Einladung gilt einmal und bis zum {bis}. Später melden Sie sich mit dem Code {code} und Ihrem Passwort an. Bitte geben Sie diese Mail nicht weiter: Wer sie hat, kann das Passwort festlegen.`,
  },
  begins: {
    to: 'host',
    name: 'Das Event beginnt bald',
    kind: 'begins',
    variables: ['karten', 'uebersicht'],
    subject: 'Ihr Event beginnt am {beginn}',
    body: `{anrede},

am {beginn} beginnt „{titel}“. Drucken Sie vorher die Karten für die Tische: Mit dem QR-Code darauf kommen Ihre Gäste ohne App zum Hochladen.

[Karten drucken]({karten})

Slideshow und Einstellungen finden Sie in Ihrer Übersicht: {uebersicht}`,
  },
  first_photos: {
    to: 'host',
    name: 'Die ersten Fotos',
    kind: 'first_photos',
    variables: ['anzahl', 'uebersicht'],
    subject: 'Die ersten Fotos von „{titel}“ sind da',
    body: `{anrede},

Ihre Gäste haben angefangen. Bisher angekommen von „{titel}“: {anzahl}.

[Fotos ansehen]({uebersicht})`,
  },
  zip_ready: {
    to: 'host',
    name: 'Das ZIP ist fertig',
    kind: 'zip_ready',
    variables: ['anzahl', 'uebersicht'],
    subject: 'Das ZIP von „{titel}“ ist fertig',
    body: `{anrede},

das ZIP mit {anzahl} von „{titel}“ ist fertig. Laden Sie es am besten an einem Rechner herunter; bricht das ab, geht es dort weiter, wo es stehen blieb.

[Zur Übersicht]({uebersicht})

Am {loeschtag} ist der letzte Tag: In der Nacht danach werden alle Fotos gelöscht.`,
  },
  deletion_7: {
    to: 'host',
    name: 'Noch sieben Tage bis zur Löschung',
    kind: 'deletion',
    variables: ['frist', 'anzahl', 'uebersicht'],
    subject: 'Noch {frist}: „{titel}“ wird gelöscht',
    body: `{anrede},

Sie haben das ZIP mit {anzahl} von „{titel}“ noch nicht ganz heruntergeladen. Der letzte Tag ist der {loeschtag}. In der Nacht danach werden alle Fotos gelöscht und sind dann für Sie verloren.

[ZIP herunterladen]({uebersicht})`,
  },
  deletion_1: {
    to: 'host',
    name: 'Der letzte Tag vor der Löschung',
    kind: 'deletion',
    variables: ['anzahl', 'uebersicht'],
    subject: 'Letzte Gelegenheit: „{titel}“ wird am {loeschtag} gelöscht',
    body: `{anrede},

der {loeschtag} ist der letzte Tag für {anzahl} von „{titel}“, und das ZIP haben Sie noch nicht ganz heruntergeladen. In der Nacht danach wird alles gelöscht und ist dann für Sie verloren.

[Jetzt herunterladen]({uebersicht})`,
  },
  deleted: {
    to: 'host',
    name: 'Bestätigung der Löschung',
    variables: ['anzahl', 'geloescht', 'bericht'],
    subject: 'Die Fotos von „{titel}“ sind gelöscht',
    body: `{anrede},

am {geloescht} wurden alle Fotos und Videos von „{titel}“ gelöscht (zuletzt gespeichert: {anzahl}), mit ihren Schlüsseln, den Namen Ihrer Gäste und Ihrem Zugang.

{bericht}

Auch diese Mailadresse ist zu diesem Event nicht mehr gespeichert. Sicherungen enthalten beides noch, bis auch sie gelöscht sind; wann das ist, steht im Löschprotokoll. Danke, dass Sie mit uns gefeiert haben.`,
  },
  report: {
    to: 'operator',
    name: 'Ein Foto wurde gemeldet',
    variables: ['zeit', 'link'],
    subject: 'Ein Foto wurde gemeldet',
    body: `Am {zeit} ist eine Meldung eingegangen: Jemand möchte, dass ein Foto entfernt wird. Meldungen müssen zeitnah bearbeitet werden (Art. 16 DSA). Diese Mail kommt höchstens zweimal in der Stunde; die Liste nennt alle Meldungen.

[Meldung lesen]({link})`,
  },
  no_login: {
    to: 'operator',
    name: 'Der Gastgeber war noch nicht da',
    variables: ['titel', 'code', 'beginn', 'link'],
    subject: 'Noch keine Anmeldung: „{titel}“ beginnt am {beginn}',
    body: `„{titel}“ ({code}) beginnt am {beginn}, und der Gastgeber hat sich noch nie angemeldet. Vielleicht ist die Einladung nicht angekommen.

[Zur Verwaltung]({link})`,
  },
  no_logins: {
    to: 'operator',
    name: 'Mehrere Gastgeber waren noch nicht da',
    variables: ['viele', 'events', 'link'],
    subject: 'Noch keine Anmeldung: {viele} beginnen bald',
    body: `{viele} beginnen bald, und ihre Gastgeber haben sich noch nie angemeldet. Vielleicht sind die Einladungen nicht angekommen.

{events}

[Zur Verwaltung]({link})`,
  },
  storage: {
    to: 'operator',
    name: 'Der Speicher wird knapp',
    variables: ['wo', 'frei', 'link'],
    subject: 'Der Speicher wird knapp: {wo}',
    body: `{wo}: noch {frei} frei. Ist der Platz aufgebraucht, werden Fotos abgelehnt.

[Zur Verwaltung]({link})`,
  },
  backup_failed: {
    to: 'operator',
    name: 'Eine Sicherung ist gescheitert',
    variables: ['zeit', 'grund'],
    subject: 'Die Sicherung ist gescheitert',
    body: `Die Sicherung am {zeit} ist gescheitert: {grund}

Bitte sehen Sie bald nach.`,
  },
  backup_old: {
    to: 'operator',
    name: 'Die letzte Sicherung ist nicht aktuell',
    variables: ['zeit', 'link'],
    subject: 'Die letzte Sicherung ist nicht aktuell',
    body: `Zuletzt wurde am {zeit} gesichert. Bitte prüfen Sie, ob die Sicherungen laufen.

[Zur Verwaltung]({link})`,
  },
  keys: {
    to: 'operator',
    name: 'Schlüssel wurden verändert',
    variables: ['wessen', 'zeit', 'link'],
    subject: 'Alarm: In der Datenbank wurden Schlüssel verändert',
    body: `Am {zeit} ist aufgefallen, dass Schlüssel in der Datenbank verändert wurden. Betroffen: {wessen}. Solange das so ist, werden dort keine Fotos angenommen. Was zu tun ist, steht in der Anleitung unter „Veränderte Schlüssel“.

[Zur Verwaltung]({link})`,
  },
  clock: {
    to: 'operator',
    name: 'Die Uhr ist gesprungen',
    variables: ['zeit', 'link'],
    subject: 'Die Uhr des Servers ist gesprungen',
    body: `Die Uhr des Servers ist gesprungen, oder er war länger als eine Woche aus. Er hält {zeit} für richtig. Bis Sie das in der Verwaltung bestätigen, wird nichts gelöscht, auch was fällig ist.

[Zur Verwaltung]({link})`,
  },
  weekly: {
    to: 'operator',
    name: 'Die Woche',
    variables: ['woche', 'link'],
    subject: 'Ihre Woche mit {marke}',
    body: `{woche}

[Zur Verwaltung]({link})`,
  },
} as const satisfies Record<string, Template>;

export type MailTopic = keyof typeof MAILS;
export const MAIL_TOPICS = Object.keys(MAILS) as MailTopic[];

export const templateOf = (topic: MailTopic): Template => MAILS[topic];

/** Lists the variables of a mail. */
export const variablesOf = (topic: MailTopic): readonly string[] => [
  ...VARIABLES[templateOf(topic).to],
  ...templateOf(topic).variables.filter((name) => !(VARIABLES[templateOf(topic).to] as readonly string[]).includes(name)),
];

/** The kinds of mail that hosts can unsubscribe from, as the page for it names them. */
export const MAIL_KINDS: Record<string, string> = {
  begins: 'Erinnerung an den Beginn',
  first_photos: 'Nachricht über die ersten Fotos',
  zip_ready: 'Nachricht über das fertige ZIP',
  deletion: 'Erinnerung an die Löschung der Fotos',
};

const VARIABLE = /\{([^{}]*)\}/g;
const BUTTON = /^\[([^\]\n]+)\]\((\{[a-z]+\})\)$/;

export type MailValues = Readonly<Record<string, string>>;
/** A paragraph or a button of a mail. */
export type MailBlock = { kind: 'text'; text: string } | { kind: 'button'; words: string; url: string };

/** Fills the variables of a text in. */
export const filled = (text: string, values: MailValues): string => text.replace(VARIABLE, (_, name: string) => values[name] ?? '');

/** Splits a body into paragraphs and buttons and fills their variables in. A variable's value never becomes a button. */
export function blocksOf(body: string, values: MailValues): MailBlock[] {
  const paragraphs = body.trim().split(/\n[^\S\n]*\n\s*/);
  return paragraphs.flatMap((paragraph): MailBlock[] => {
    const [, words, url] = BUTTON.exec(paragraph.trim()) ?? [];
    if (words !== undefined && url !== undefined) return [{ kind: 'button', words: filled(words, values), url: filled(url, values) }];
    const text = filled(paragraph, values).trim();
    return text === '' ? [] : [{ kind: 'text', text }];
  });
}

/** Returns the line below a mail whose link has a token behind `#`: gateways that rewrite links cut the token off or encode it. */
export const tokenLine = (token: string): string => `Fehlt im Link ein Teil? Dann nimmt seine Seite auch diesen Code: ${token}`;

/** Explains in German why an operator's text cannot be sent as this mail; null: it can. */
export function mistakeIn(topic: MailTopic, { subject, body }: { subject: string; body: string }): string | null {
  const known = variablesOf(topic);
  const used = [...`${subject}\n${body}`.matchAll(VARIABLE)].map(([, name = '']) => name);
  const unknown = used.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `{${unknown}} gibt es in dieser Mail nicht. Möglich sind: ${known.map((name) => `{${name}}`).join(', ')}.`;
  const missing = templateOf(topic).needs?.find((name) => !body.includes(`{${name}}`));
  return missing === undefined ? null : `Ohne {${missing}} erfüllt diese Mail ihren Zweck nicht.`;
}
