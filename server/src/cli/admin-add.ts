import { ADMIN_USERNAME_MAX } from '@feierbild/contract/constants.ts';
import { askAdmin } from './ask.ts';
import { positional, type Command } from './command.ts';
import { UsageError } from './failures.ts';

export const adminAdd: Command = {
  name: 'admin add',
  parameters: '<Benutzername>',
  summary: 'legt einen weiteren Zugang an und zeigt sein Passwort einmal',
  async run(args, operator) {
    const username = positional(args, 1, 1)[0]?.trim() ?? '';
    if (username === '' || username.length > ADMIN_USERNAME_MAX) {
      throw new UsageError(`Ein Benutzername hat 1 bis ${ADMIN_USERNAME_MAX} Zeichen.`);
    }
    const by = await askAdmin(operator);
    const added = await (await operator.parts()).admins.add(by, username, null);
    operator.terminal.print(`Benutzername „${added.username}“, Passwort „${added.password}“.`);
    operator.terminal.print('Dieses Passwort wird nur jetzt angezeigt.');
  },
};
