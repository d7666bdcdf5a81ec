/** The specification's German strings of the guests' pages (see texts.ts). */

export const join = {
  title: 'Event beitreten',
  placeholder: '8-stelligen Code eingeben',
  hint: '8-stelliger alphanumerischer Code',
  open: 'Event öffnen',
  back: '← Zurück zur Startseite',
  password: 'Event Passwort',
  failed: 'Ungültiger oder abgelaufener Event-Code',
} as const;

export const upload = {
  name: 'Dein Name',
  pick: 'Dateien auswählen',
  heic: 'HEIC Format',
  passwordTitle: 'Passwort erforderlich',
  passwordText: 'Für dieses Event ist ein Passwort erforderlich. Bitte klicken Sie auf "Freischalten", um das Passwort einzugeben.',
  unlock: 'Freischalten',
  deviceTitle: 'Gerätefehler',
  deviceText: 'Geräte-ID konnte nicht abgerufen werden.',
  retry: 'Erneut versuchen',
  noCode: 'Kein Event-Code angegeben',
  nothing: 'Bereit',
  done: '✓ Hochgeladen',
  waiting: 'Hochladen (N)',
  running: 'Hochladen... (N verbleibend)',
} as const;
