import { newReport } from '../features/retention/retention.ts';
import type { Command } from './command.ts';
import { Failure } from './failures.ts';
import { berlinTime, count } from './german.ts';

export const maintain: Command = {
  name: 'maintain',
  parameters: '[--clock-is-right]',
  summary: 'löscht jetzt, was seine Zeit hinter sich hat (der Dienst tut das stündlich selbst)',
  async run({ options }, { parts, terminal }) {
    const report = newReport();
    const opened = await parts();
    if (options.has('clock-is-right')) {
      await opened.clockGuard.confirm();
      await opened.audit.record({ actor: 'cli', action: 'clock.confirmed' });
    }
    const ran = await opened.retention.run(report, { thorough: true });
    if (!ran) {
      terminal.print('Die Aufräumarbeiten laufen gerade schon.');
      return;
    }
    if (report.clockLeapt)
      throw new Failure(
        `Die Uhr ist gesprungen, oder der Dienst war länger als eine Woche aus: Nichts wurde gelöscht. Jetzt ist es nach dieser Uhr ${berlinTime(Date.now())}. Stimmt das, rufen Sie „maintain --clock-is-right“ auf.`,
      );
    const { purgedEvents: events } = report;
    const purged = events === 0 ? 'Kein Event war fällig' : `${count(events, 'Event wurde', 'Events wurden')} endgültig gelöscht`;
    terminal.print(`${purged}; abgelaufene Anmeldungen, Links, alte Einträge und verwaiste Dateien sind entfernt.`);
    if (await opened.demo.refresh())
      terminal.print(opened.config.demo ? 'Die Demo war fällig und ist erneuert.' : 'Die Demo ist ausgeschaltet und darum gelöscht.');
    if (report.failures > 0)
      throw new Failure(`${report.failures}-mal ist etwas misslungen (siehe oben); der nächste Lauf versucht es wieder.`);
  },
};
