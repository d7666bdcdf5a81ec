import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { isUuid } from '../lib/ids.ts';
import { Failure, type Command } from './command.ts';
import { count, size } from '../lib/german.ts';
import { berlinTime } from './german.ts';

/** Photos read from the database at once. */
const PAGE = 500;

/** Commands for single photos, which show no picture. */
export const photoCommands: Command[] = [
  {
    name: 'photo list',
    parameters: '--event <Code>',
    summary: 'zeigt die Fotos eines Events: Id, Empfang, Gast, Größe; für „photo delete“',
    async run({ options }, { features, terminal }) {
      const { events, photos } = await features();
      const code = cleanEventCode(options.get('event') ?? '');
      const event = await events.guests.resolve(code);
      if (!event || event.purging_at !== null) throw new Failure(`Ein Event mit dem Code „${code}“ gibt es nicht (mehr).`);
      // Guests' names are sealed, so the sender of the first photo is „Gast 1“.
      const guests = new Map<string, number>();
      for (let after = 0, more = true; more;) {
        const page = await photos.behind(event.id, null, { after, limit: PAGE });
        for (const { id, created_at, device_hash, size: bytes, position } of page) {
          const device = Buffer.from(device_hash).toString('hex');
          const guest = guests.get(device) ?? guests.size + 1;
          guests.set(device, guest);
          terminal.print([id, berlinTime(created_at), `Gast ${guest}`, size(bytes)].join('  '));
          after = position;
        }
        more = page.length > 0;
      }
      if (guests.size === 0) terminal.print('Das Event hat keine Fotos.');
    },
  },
  {
    name: 'photo delete',
    parameters: '<Id> [--yes]',
    summary: 'löscht ein einzelnes Foto (Art. 17 DSGVO), ohne dass jemand es sieht',
    async run({ args: [given = ''], options }, { features, terminal }) {
      const id = given.toLowerCase();
      const { photos, audit } = await features();
      const row = isUuid(id) ? await photos.byId(id) : undefined;
      if (!row) throw new Failure('Ein Foto mit dieser Id gibt es nicht (mehr).');
      const what = `Foto ${id} aus dem Event ${row.code}, empfangen am ${berlinTime(row.created_at)}`;
      if (!options.has('yes')) {
        terminal.print(what);
        const answer = await terminal.ask('Endgültig löschen? Bitte „ja“ eingeben: ');
        if (answer.trim().toLowerCase() !== 'ja') throw new Failure('Nichts wurde gelöscht.');
      }
      await photos.remove({ row }, (trx) =>
        audit.record({ actor: 'cli', action: 'photo.deleted', eventId: row.event_id, eventCode: row.code }, trx),
      );
      terminal.print(`${what}: gelöscht. In Sicherungen bleibt es bis zu 14 Tage.`);
    },
  },
  {
    name: 'uploads list',
    parameters: '',
    summary: 'zeigt die Übertragungen, die nicht fertig sind: Id, Event, Gerät, was da ist, letztes Byte; für „uploads end“',
    async run(_, { features, terminal }) {
      const { uploads } = await features();
      const open = await uploads.resumable.list();
      // Devices are known by a hash for each event, so the device that waits longest is „Gerät 1“.
      const devices = new Map<string, Map<string, number>>();
      for (const { id, code, device_hash, received, length, expires_at } of open) {
        const ofEvent = devices.get(code) ?? new Map<string, number>();
        const device = Buffer.from(device_hash).toString('hex');
        ofEvent.set(device, ofEvent.get(device) ?? ofEvent.size + 1);
        devices.set(code, ofEvent);
        const held = `${size(received)} von ${size(length)}`;
        terminal.print([id, code, `Gerät ${ofEvent.get(device)}`, held, berlinTime(expires_at - UPLOAD_KEPT)].join('  '));
      }
      const all = open.reduce((sum, { received }) => sum + received, 0);
      terminal.print(open.length === 0 ? 'Keine ist offen.' : `${count(open.length, 'Übertragung', 'Übertragungen')}, ${size(all)}`);
    },
  },
  {
    name: 'uploads end',
    parameters: '<Id oder Event-Code>',
    summary: 'beendet eine Übertragung, die nicht fertig ist, oder alle eines Events; wer noch sendet, fängt von vorn an',
    async run({ args: [what = ''] }, { features, terminal }) {
      const { uploads } = await features();
      const open = await uploads.resumable.list();
      const chosen = open.filter(({ id, code }) => id === what.toLowerCase() || code === cleanEventCode(what));
      if (chosen.length === 0) throw new Failure(`Eine offene Übertragung „${what}“ gibt es nicht, auch kein Event mit einer.`);
      for (const upload of chosen) await uploads.resumable.end(upload);
      terminal.print(`${count(chosen.length, 'Übertragung', 'Übertragungen')} beendet.`);
    },
  },
];
