import { isDay, startOfBerlinDay } from '@feierbild/contract/berlin.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Command } from './command.ts';
import { UsageError } from './failures.ts';
import { berlinTime } from './german.ts';

export const audit: Command = {
  name: 'audit',
  parameters: '[--event <Code>] [--since JJJJ-MM-TT]',
  summary: 'zeigt, wer wann was getan hat, das Neueste zuletzt',
  async run({ options }, { parts, terminal }) {
    const [event, since] = [options.get('event'), options.get('since')];
    const filter = {
      ...(event !== undefined && { eventCode: cleanEventCode(event) }),
      ...(since !== undefined && { since: startOf(since) }),
    };
    for await (const { at, actor, action, event_code, address } of (await parts()).audit.list(filter)) {
      terminal.print([berlinTime(at), actor, action, event_code ?? '-', address ?? '-'].join('  '));
    }
  },
};

function startOf(day: string): number {
  if (!isDay(day)) throw new UsageError(`„${day}“ ist kein Tag wie 2026-05-17.`);
  return startOfBerlinDay(day);
}
