/** The specification's German strings of the pages with a code (see texts.ts). */

export const join = {
  title: 'Event beitreten',
  placeholder: '8-stelligen Code eingeben',
  hint: '8-stelliger alphanumerischer Code',
  open: 'Event öffnen',
  back: '← Zurück zur Startseite',
  password: 'Event Passwort',
  failed: 'Ungültiger oder abgelaufener Event-Code',
} as const;
