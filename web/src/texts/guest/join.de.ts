import { join } from './texts.ts';

/** The German texts of the forms that lead from a code to its event. */
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
  /** Shown where the server could not check the code. */
  trouble: 'Gerade ist die Verbindung zum Server gestört. Bitte gleich noch einmal versuchen.',
};
