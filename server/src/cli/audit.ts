import { startOfBerlinDay } from '@feierbild/contract/berlin.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { options, type Command } from './command.ts';
import { UsageError } from './failures.ts';
import { berlinTime } from './german.ts';

export const audit: Command = {
  name: 'audit',
  parameters: '[--event <Code>] [--since JJJJ-MM-TT]',
  summary: 'zeigt, wer wann was getan hat, das Neueste zuletzt',
  async run(args, { parts, terminal }) {
    const { values } = options(args, { values: ['event', 'since'] }, [0, 0]);
    const filter = {
      ...(values.event !== undefined && { eventCode: cleanEventCode(values.event) }),
      ...(values.since !== undefined && { since: startOf(values.since) }),
    };
    for await (const { at, actor, action, event_code, address } of (await parts()).audit.list(filter)) {
      terminal.print([berlinTime(at), actor, action, event_code ?? '-', address ?? '-'].join('  '));
    }
  },
};

function startOf(day: string): number {
  const instant = /^\d{4}-\d\d-\d\d$/.test(day) ? startOfBerlinDay(day) : Number.NaN;
  if (Number.isNaN(instant)) throw new UsageError(`„${day}“ ist kein Tag wie 2026-05-17.`);
  return instant;
}
