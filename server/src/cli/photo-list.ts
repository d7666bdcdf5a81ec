import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Parts } from '../services.ts';
import { options, type Command } from './command.ts';
import { Failure, UsageError } from './failures.ts';
import { berlinTime, size } from './german.ts';

/** Photos read from the database at once. */
const PAGE = 500;

export const photoList: Command = {
  name: 'photo list',
  parameters: '--event <Code>',
  summary: 'zeigt die Fotos eines Events: Id, Empfang, Gast, Größe; für „photo delete“',
  async run(args, { parts, terminal }) {
    const { values } = options(args, { values: ['event'] }, [0, 0]);
    if (values.event === undefined) throw new UsageError('Es fehlt --event <Code>.');
    const { db } = await parts();
    const code = cleanEventCode(values.event);
    const event = await db.kysely
      .selectFrom('events')
      .select('id')
      .where('code', '=', code)
      .where('purging_at', 'is', null)
      .executeTakeFirst();
    if (!event) throw new Failure(`Ein Event mit dem Code „${code}“ gibt es nicht (mehr).`);
    // Guests' names are sealed: whoever sent the first photo is „Gast 1“.
    const guests = new Map<string, number>();
    for await (const { id, created_at, device_hash, size: bytes } of photosOf(db, event.id)) {
      const device = Buffer.from(device_hash).toString('hex');
      const guest = guests.get(device) ?? guests.size + 1;
      guests.set(device, guest);
      terminal.print([id, berlinTime(created_at), `Gast ${guest}`, size(bytes)].join('  '));
    }
    if (guests.size === 0) terminal.print('Das Event hat keine Fotos.');
  },
};

/** In the order of the uploads. */
async function* photosOf({ kysely }: Parts['db'], eventId: string) {
  const photos = kysely
    .selectFrom('photos')
    .select(['id', 'created_at', 'device_hash', 'size', 'position'])
    .where('event_id', '=', eventId);
  for (let after = 0; ;) {
    const page = await photos.where('position', '>', after).orderBy('position').limit(PAGE).execute();
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.position;
  }
}
