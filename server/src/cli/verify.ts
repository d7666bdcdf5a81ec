import type { Checked } from '../features/integrity/integrity.ts';
import { Refusal } from '../lib/errors.ts';
import { LOCAL } from './ask.ts';
import { options, type Command } from './command.ts';
import { Failure } from './failures.ts';
import { count } from './german.ts';
import type { Terminal } from './terminal.ts';

const KINDS = { photo: 'Foto', upload: 'Übertragung', blob: 'Datei', event: 'Event', further: 'Außerdem' } as const;

export const verify: Command = {
  name: 'verify',
  parameters: '[--event <Code>]',
  summary: 'prüft, ob jedes Foto ganz da ist; mit --event und dem Passwort des Gastgebers auch jedes Byte',
  async run(args, operator) {
    const { values } = options(args, { values: ['event'] }, [0, 0]);
    const { terminal } = operator;
    const { accounts, integrity } = await operator.parts();
    if (values.event === undefined) return printChecked(terminal, await integrity.check());
    const password = await terminal.ask(`Passwort des Gastgebers von „${values.event}“: `, { hidden: true });
    const host = await accounts.proveHost({ username: values.event, password, address: LOCAL }).catch(explain);
    try {
      const opened = await integrity.openAll(host.id, host.keys.privateKey);
      const all = await integrity.check();
      return printChecked(terminal, { ...opened, findings: [...opened.findings, ...all.findings] });
    } finally {
      host.keys.privateKey.fill(0);
    }
  },
};

/** The login page's own words for wrong passwords are English by specification. */
function explain(error: unknown): never {
  if (!(error instanceof Refusal && error.code === 'invalid_credentials')) throw error;
  throw new Failure('Der Code des Events oder das Passwort des Gastgebers stimmt nicht.');
}

/** Says what was found; the exit code. */
export function printChecked(terminal: Terminal, { photos, blobs, findings }: Checked): number {
  const lines = new Set(findings.map(({ kind, subject, problem }) => `${KINDS[kind]} ${subject}: ${problem}`));
  for (const line of lines) terminal.print(line);
  const seen = `${count(photos, 'Foto', 'Fotos')} mit ${count(blobs, 'Datei', 'Dateien')} geprüft`;
  terminal.print(`${seen}: ${lines.size === 0 ? 'alles in Ordnung' : count(lines.size, 'Befund', 'Befunde')}.`);
  return lines.size === 0 ? 0 : 1;
}
