import { join } from './texts.ts';

/** What the forms say that lead from a code to its event, in German. */
export const joinDe = {
  title: join.title as string,
  lead: 'Der Code steht auf der Einladung oder auf der Karte am Tisch.',
  secureLead: 'Dieses Event ist mit einem Passwort geschützt. Der Gastgeber kennt es.',
  code: 'Event-Code',
  placeholder: join.placeholder as string,
  hint: join.hint as string,
  password: join.password as string,
  show: 'Passwort zeigen',
  open: join.open as string,
  back: join.back as string,
  failed: join.failed as string,
  /** Nobody has looked at the code. */
  trouble: 'Gerade ist die Verbindung zum Server gestört. Bitte gleich noch einmal versuchen.',
};
