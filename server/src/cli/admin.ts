import { isLongEnough } from '@feierbild/contract/admin-password.ts';
import { ADMIN_PASSWORD_MIN, ADMIN_USERNAME_MAX } from '@feierbild/contract/constants.ts';
import type { KeyHolder } from '../features/operator-keys/operator-keys.ts';
import { berlinDate } from './german.ts';
import { Failure, LOCAL, UsageError, type Command, type Operator } from './command.ts';

/** Commands for administrators' accounts, passwords and the recovery code. */
export const adminCommands: Command[] = [
  {
    name: 'admin list',
    parameters: '',
    summary: 'zeigt, wer Feierbild verwaltet',
    async run(_, { features, terminal }) {
      for (const { username, role, created_at, password_changed_at } of await (await features()).admins.list()) {
        const since = berlinDate(created_at);
        terminal.print(
          `${username}  (${role === 'assistant' ? 'Helfer, ' : ''}seit ${since}${password_changed_at === null ? ', erstes Passwort noch in Gebrauch' : ''})`,
        );
      }
    },
  },
  {
    name: 'admin add',
    parameters: '<Benutzername>',
    summary: 'legt einen weiteren Zugang an und zeigt sein Passwort einmal',
    async run({ args: [given = ''] }, operator) {
      const username = given.trim();
      if (username === '' || username.length > ADMIN_USERNAME_MAX) {
        throw new UsageError(`Ein Benutzername hat 1 bis ${ADMIN_USERNAME_MAX} Zeichen.`);
      }
      const by = await askAdmin(operator);
      const added = await (await operator.features()).admins.add(by, { username, role: 'admin' }, null);
      operator.terminal.print(`Benutzername „${added.username}“, Passwort „${added.password}“.`);
      operator.terminal.print('Dieses Passwort wird nur jetzt angezeigt.');
    },
  },
  {
    name: 'admin remove',
    parameters: '<Benutzername>',
    summary: 'nimmt einen anderen Zugang weg und erneuert den Betreiberschlüssel',
    async run({ args: [given = ''] }, operator) {
      const name = given.trim().normalize('NFC');
      const { admins } = await operator.features();
      const found = (await admins.list()).find(({ username }) => username === name);
      if (!found) throw new Failure(`Den Zugang „${name}“ gibt es nicht.`);
      await admins.remove(await askAdmin(operator), found.id, null);
      const renewed = found.role === 'admin' ? ', der Betreiberschlüssel erneuert' : '';
      operator.terminal.print(`Der Zugang „${found.username}“ ist entfernt${renewed}.`);
    },
  },
  {
    name: 'admin password',
    parameters: '[<Benutzername>]',
    summary: 'ändert das eigene Passwort und erneuert den Betreiberschlüssel',
    async run({ args: [given] }, operator) {
      const name = await askName(operator, given);
      const current = await operator.terminal.ask(`Bisheriges Passwort von „${name}“: `, { hidden: true });
      const next = await askNewPassword(operator);
      const { role } = await (await operator.features()).admins.changePassword(name, { current, next }, { address: LOCAL });
      const renewed = role === 'admin' ? ', der Betreiberschlüssel erneuert' : '';
      operator.terminal.print(`Das Passwort ist geändert${renewed}. Alle Anmeldungen dieses Zugangs sind beendet.`);
    },
  },
  {
    name: 'admin second-factor-off',
    parameters: '[<Benutzername>]',
    summary: 'nimmt einem Zugang alle zweiten Faktoren weg, wenn sie verloren sind',
    async run({ args: [given] }, operator) {
      const name = (await askName(operator, given)).trim().normalize('NFC');
      const { admins, secondFactor } = await operator.features();
      const found = (await admins.list()).find(({ username }) => username === name);
      if (!found) throw new Failure(`Den Zugang „${name}“ gibt es nicht.`);
      const { username } = await askAdmin(operator);
      const any = await secondFactor.reset(`admin:${username}`, found, null);
      operator.terminal.print(
        any
          ? `Der Zugang „${name}“ hat keinen zweiten Faktor mehr. Das Passwort gilt weiter.`
          : `Der Zugang „${name}“ hat keinen zweiten Faktor.`,
      );
    },
  },
  {
    name: 'admin recover',
    parameters: '[<Benutzername>]',
    summary: 'setzt mit dem Wiederherstellungscode ein neues Passwort, wenn alle verloren sind',
    async run({ args: [given] }, operator) {
      const name = await askName(operator, given);
      const code = await operator.terminal.ask('Wiederherstellungscode: ', { hidden: true });
      const { admins } = await operator.features();
      const proof = await admins.openRecovery(code);
      if (!proof) throw new Failure('Der Wiederherstellungscode stimmt nicht.');
      const password = await askNewPassword(operator);
      if (!(await admins.recover(proof, name, password))) throw new Failure('Der Wiederherstellungscode ist inzwischen verbraucht.');
      operator.terminal.print(
        `Das neue Passwort von „${name}“ gilt. Der Code ist damit verbraucht: Ein frischer kommt mit „recovery-code“.`,
      );
    },
  },
  {
    name: 'recovery-code',
    parameters: '',
    summary: 'zeigt einen frischen Wiederherstellungscode, nur auf einem Terminal; der vorige gilt nicht mehr',
    async run(_, operator) {
      const { terminal } = operator;
      if (!terminal.interactive)
        throw new Failure('Der Wiederherstellungscode wird nur auf einem Terminal gezeigt, nie in Dateien oder Logs.');
      const by = await askAdmin(operator);
      const code = await (await operator.features()).admins.createRecoveryCode(by);
      terminal.print(`Wiederherstellungscode: ${code}`);
      terminal.print(
        'Er wird nur jetzt angezeigt und gilt einmal, für „admin recover“. Bewahren Sie ihn auf Papier und getrennt vom Server auf.',
      );
    },
  },
];

/** Returns an administrator's name: the given one, else the only one, else the one typed on the terminal. */
async function askName({ features, terminal }: Operator, given?: string): Promise<string> {
  if (given !== undefined) return given;
  const [only, ...others] = (await (await features()).admins.list()).filter(({ role }) => role === 'admin');
  if (!only) throw new Failure('Es gibt noch keine Verwaltung. Sie entsteht beim ersten Start.');
  return others.length === 0 ? only.username : terminal.ask('Ihr Benutzername: ');
}

/** Authenticates an administrator by name and password. Throws Failure. */
async function askAdmin(operator: Operator): Promise<KeyHolder> {
  const name = await askName(operator);
  const password = await operator.terminal.ask(`Passwort von „${name}“: `, { hidden: true });
  const admin = await (await operator.features()).admins.authenticate(name, password, { address: LOCAL });
  if (!admin) throw new Failure('Benutzername oder Passwort stimmen nicht.');
  return admin;
}

/** Asks for a new password, on a terminal twice. Throws Failure. */
async function askNewPassword({ terminal }: Operator): Promise<string> {
  const password = await terminal.ask(`Neues Passwort (mindestens ${ADMIN_PASSWORD_MIN} Zeichen): `, { hidden: true });
  if (!isLongEnough(password)) throw new Failure(`Das neue Passwort braucht mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`);
  if (terminal.interactive && (await terminal.ask('Neues Passwort wiederholen: ', { hidden: true })) !== password) {
    throw new Failure('Die beiden Passwörter stimmen nicht überein.');
  }
  return password;
}
