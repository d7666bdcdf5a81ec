import { setTimeout as pause } from 'node:timers/promises';
import { auditText } from '@feierbild/contract/audit-texts.ts';
import { startOfBerlinDay } from '@feierbild/contract/berlin.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { newReport } from '../features/retention/retention.ts';
import { adminCommands } from './admin.ts';
import { backupCommands } from './backup.ts';
import { Failure, UsageError, type Command } from './command.ts';
import { doctor } from './doctor.ts';
import { count } from '../lib/german.ts';
import { berlinTime, typedDay } from './german.ts';
import { photoCommands } from './photos.ts';
import { receiptCommands } from './receipts.ts';

/** Pause between two looks at whether another run has ended. */
const RETRY_MS = 500;
const WAITS =
  'Gerade räumt schon ein anderer Lauf auf; dieser beginnt danach. Wurde der andere abgebrochen, dauert das höchstens fünf Minuten.';

const maintain: Command = {
  name: 'maintain',
  parameters: '[--clock-is-right]',
  summary: 'löscht jetzt, was seine Zeit hinter sich hat (der Dienst tut das stündlich selbst)',
  leases: true,
  async run({ options }, { features, terminal }) {
    const report = newReport();
    const opened = await features();
    if (options.has('clock-is-right'))
      await opened.clockGuard.confirm((trx) => opened.audit.record({ actor: 'cli', action: 'clock.confirmed' }, trx));
    for (let tries = 0; !(await opened.retention.run(report, { thorough: true })); tries++) {
      if (tries === 0) terminal.print(WAITS);
      await pause(RETRY_MS);
    }
    if (report.clockLeapt)
      throw new Failure(
        `Die Uhr ist gesprungen, oder der Dienst war länger als eine Woche aus: Nichts wurde gelöscht. Jetzt ist es nach dieser Uhr ${berlinTime(Date.now())}. Stimmt das, rufen Sie „maintain --clock-is-right“ auf.`,
      );
    const { purgedEvents: events, failures } = report;
    const purged = `${count(events, 'Event wurde', 'Events wurden')} endgültig gelöscht`;
    const rest = 'abgelaufene Anmeldungen, Links, alte Einträge und verwaiste Dateien sind entfernt.';
    // A due event may have failed, or any other step.
    if (failures === 0) terminal.print(`${events === 0 ? 'Kein Event war fällig' : purged}; ${rest}`);
    else if (events > 0) terminal.print(`${purged}.`);
    if (await opened.demo.refresh())
      terminal.print(opened.config.demo ? 'Die Demo war fällig und ist erneuert.' : 'Die Demo ist ausgeschaltet und darum gelöscht.');
    if (failures > 0) throw new Failure(`${failures}-mal ist etwas misslungen (siehe oben); der nächste Lauf versucht es wieder.`);
  },
};

const migrate: Command = {
  name: 'migrate',
  parameters: '',
  summary: 'bringt die Datenbank auf den Stand dieser Fassung (der Dienst tut das beim Start selbst)',
  migrates: true,
  async run(_, { features, terminal }) {
    const { db } = await features();
    terminal.print(`Die Datenbank hat den Stand dieser Fassung: ${(await db.migrations()).at(-1)}.`);
  },
};

const audit: Command = {
  name: 'audit',
  parameters: '[--event <Code>] [--since TT.MM.JJJJ]',
  summary: 'zeigt, wer wann was getan hat, das Neueste zuletzt',
  async run({ options }, { features, terminal }) {
    const [event, since] = [options.get('event'), options.get('since')];
    const filter = {
      ...(event !== undefined && { eventCode: cleanEventCode(event) }),
      ...(since !== undefined && { since: startOf(since) }),
    };
    let isEmpty = true;
    for await (const entry of (await features()).audit.list(filter)) {
      const { at, actor, event_code, address } = entry;
      terminal.print([berlinTime(at), actor, auditText(entry), event_code ?? '-', address ?? '-'].join('  '));
      isEmpty = false;
    }
    if (isEmpty) terminal.print('Dazu ist nichts verzeichnet.');
  },
};

function startOf(day: string): number {
  const typed = typedDay(day);
  if (typed === null) throw new UsageError(`„${day}“ ist kein Tag wie 17.05.2026.`);
  return startOfBerlinDay(typed);
}

/** All commands, in the order of the help. */
export const commands: Command[] = [
  ...adminCommands,
  maintain,
  ...backupCommands,
  migrate,
  doctor,
  ...photoCommands,
  ...receiptCommands,
  audit,
];
