import { isLongEnough } from '@feierbild/contract/admin-password.ts';
import { ADMIN_PASSWORD_MIN } from '@feierbild/contract/constants.ts';
import type { ProvedAdmin } from '../features/admins/admins.ts';
import type { Operator } from './command.ts';
import { Failure } from './failures.ts';

/** The address for which wrong passwords in commands are counted. */
export const LOCAL = '127.0.0.1';

/** The name of an administrator: the given one, else the only one, else asked for on the terminal. */
export async function askName({ parts, terminal }: Operator, given?: string): Promise<string> {
  if (given !== undefined) return given;
  const [only, ...others] = await (await parts()).admins.list();
  if (!only) throw new Failure('Es gibt noch keine Verwaltung. Sie entsteht beim ersten Start.');
  return others.length === 0 ? only.username : terminal.ask('Ihr Benutzername: ');
}

/** An administrator by name and password. Throws Failure. */
export async function askAdmin(operator: Operator): Promise<ProvedAdmin> {
  const name = await askName(operator);
  const password = await operator.terminal.ask(`Passwort von „${name}“: `, { hidden: true });
  const proved = await (await operator.parts()).admins.prove(name, password, { address: LOCAL });
  if (!proved) throw new Failure('Benutzername oder Passwort stimmen nicht.');
  return proved;
}

/** A new password, on a terminal twice. Throws Failure. */
export async function askNewPassword({ terminal }: Operator): Promise<string> {
  const password = await terminal.ask(`Neues Passwort (mindestens ${ADMIN_PASSWORD_MIN} Zeichen): `, { hidden: true });
  if (!isLongEnough(password)) throw new Failure(`Das neue Passwort braucht mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`);
  if (terminal.interactive && (await terminal.ask('Neues Passwort wiederholen: ', { hidden: true })) !== password) {
    throw new Failure('Die beiden Passwörter stimmen nicht überein.');
  }
  return password;
}
