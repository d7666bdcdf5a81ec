import { askName, askNewPassword, LOCAL } from './ask.ts';
import { positional, type Command } from './command.ts';

export const adminPassword: Command = {
  name: 'admin password',
  parameters: '[<Benutzername>]',
  summary: 'ändert das eigene Passwort und erneuert den Betreiberschlüssel',
  async run(args, operator) {
    const name = await askName(operator, positional(args, 0, 1)[0]);
    const current = await operator.terminal.ask(`Bisheriges Passwort von „${name}“: `, { hidden: true });
    const next = await askNewPassword(operator);
    await (await operator.parts()).admins.changePassword(name, { current, next }, LOCAL);
    operator.terminal.print('Das Passwort ist geändert, der Betreiberschlüssel erneuert. Alle Anmeldungen dieses Zugangs sind beendet.');
  },
};
