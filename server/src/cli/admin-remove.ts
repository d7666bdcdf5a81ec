import { askAdmin } from './ask.ts';
import { positional, type Command } from './command.ts';
import { Failure } from './failures.ts';

export const adminRemove: Command = {
  name: 'admin remove',
  parameters: '<Benutzername>',
  summary: 'nimmt einen anderen Zugang weg und erneuert den Betreiberschlüssel',
  async run(args, operator) {
    const name = positional(args, 1, 1)[0]?.trim().normalize('NFC');
    const { admins } = await operator.parts();
    const found = (await admins.list()).find(({ username }) => username === name);
    if (!found) throw new Failure(`Den Zugang „${name}“ gibt es nicht.`);
    await admins.remove(await askAdmin(operator), found.id, null);
    operator.terminal.print(`Der Zugang „${found.username}“ ist entfernt, der Betreiberschlüssel erneuert.`);
  },
};
