import { isUuid } from '../lib/ids.ts';
import { options, type Command } from './command.ts';
import { Failure } from './failures.ts';
import { berlinTime } from './german.ts';

export const photoDelete: Command = {
  name: 'photo delete',
  parameters: '<Id> [--yes]',
  summary: 'löscht ein einzelnes Foto (Art. 17 DSGVO), ohne dass jemand es sieht',
  async run(args, { parts, terminal }) {
    const { given, flags } = options(args, { values: [], flags: ['yes'] }, [1, 1]);
    const id = given[0]?.toLowerCase() ?? '';
    const { photos, audit, db } = await parts();
    const row = isUuid(id) ? await photos.byId(id) : undefined;
    if (!row) throw new Failure('Ein Foto mit dieser Id gibt es nicht (mehr).');
    const event = await db.kysely.selectFrom('events').select('code').where('id', '=', row.event_id).executeTakeFirstOrThrow();
    const what = `Foto ${id} aus dem Event ${event.code}, empfangen am ${berlinTime(row.created_at)}`;
    if (!flags.yes) {
      terminal.print(what);
      const answer = await terminal.ask('Endgültig löschen? Bitte „ja“ eingeben: ');
      if (answer.trim().toLowerCase() !== 'ja') throw new Failure('Nichts wurde gelöscht.');
    }
    await photos.remove({ row }, (trx) =>
      audit.record({ actor: 'cli', action: 'photo.deleted', eventId: row.event_id, eventCode: event.code }, trx),
    );
    terminal.print(`${what}: gelöscht. In Sicherungen bleibt es bis zu 14 Tage.`);
  },
};
