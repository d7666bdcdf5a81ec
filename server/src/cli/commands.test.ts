import { expect, it } from 'vitest';
import type { RetentionReport } from '../features/retention/retention.ts';
import { readArguments, UsageError } from './command.ts';
import { commands } from './commands.ts';

const maintain = commands.find(({ name }) => name === 'maintain')!;

/** Runs `maintain` with this report; returns its output and its error. */
async function said(found: Partial<RetentionReport>): Promise<{ printed: string[]; failed: string | null }> {
  const printed: string[] = [];
  const features = {
    retention: { run: async (report: RetentionReport) => Object.assign(report, found) },
    demo: { refresh: async () => false },
  };
  const operator = { features: async () => features, terminal: { print: (line: string) => printed.push(line) } };
  const run = maintain.run({ args: [], options: new Map() }, operator as never);
  const failed = await run.then(
    () => null,
    ({ message }: Error) => message,
  );
  return { printed, failed };
}

it('maintain says that nothing was due, and what is removed, only where nothing failed', async () => {
  const rest = 'abgelaufene Anmeldungen, Links, alte Einträge und verwaiste Dateien sind entfernt.';
  expect(await said({})).toEqual({ printed: [`Kein Event war fällig; ${rest}`], failed: null });
  expect(await said({ purgedEvents: 2 })).toEqual({ printed: [`2 Events wurden endgültig gelöscht; ${rest}`], failed: null });
  const failed = '1-mal ist etwas misslungen (siehe oben); der nächste Lauf versucht es wieder.';
  expect(await said({ failures: 1 })).toEqual({ printed: [], failed });
  expect(await said({ failures: 1, purgedEvents: 1 })).toEqual({ printed: ['1 Event wurde endgültig gelöscht.'], failed });
});

it.each([
  ['<Ordner>', ['']],
  ['<Ordner> [<Stand>]', ['sicherung', '']],
  ['[--event <Code>]', ['--event', '']],
])('takes no empty word, as a script has where its variable is not set: %s', (parameters, words) => {
  expect(() => readArguments(parameters, words)).toThrow(UsageError);
});
