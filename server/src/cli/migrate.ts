import type { Command } from './command.ts';

export const migrate: Command = {
  name: 'migrate',
  parameters: '',
  summary: 'bringt die Datenbank auf den Stand dieser Fassung (der Dienst tut das beim Start selbst)',
  fillsEmpty: true,
  migrates: true,
  async run(_, { parts, terminal }) {
    const { db } = await parts();
    terminal.print(`Die Datenbank hat den Stand dieser Fassung: ${(await db.migrations()).at(-1)}.`);
  },
};
