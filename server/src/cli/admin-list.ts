import { positional, type Command } from './command.ts';

export const adminList: Command = {
  name: 'admin list',
  parameters: '',
  summary: 'zeigt, wer Feierbild verwaltet',
  async run(args, { parts, terminal }) {
    positional(args, 0, 0);
    for (const { username, created_at, password_changed_at } of await (await parts()).admins.list()) {
      const since = new Date(created_at).toISOString().slice(0, 10);
      terminal.print(`${username}  (seit ${since}${password_changed_at === null ? ', erstes Passwort noch in Gebrauch' : ''})`);
    }
  },
};
