import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Command } from './command.ts';
import { Failure } from './failures.ts';
import { berlinTime, count, size } from './german.ts';

/** Uploads that are not complete. */
export const uploadCommands: Command[] = [
  {
    name: 'uploads list',
    parameters: '',
    summary: 'zeigt die Übertragungen, die nicht fertig sind: Id, Event, Gerät, was da ist, letztes Byte; für „uploads end“',
    async run(_, { parts, terminal }) {
      const { uploads } = await parts();
      const open = await uploads.resumable.list();
      // Devices are known by hashes, another one for each event: whoever waits longest is „Gerät 1“ there.
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
    async run({ args: [what = ''] }, { parts, terminal }) {
      const { uploads } = await parts();
      const open = await uploads.resumable.list();
      const chosen = open.filter(({ id, code }) => id === what.toLowerCase() || code === cleanEventCode(what));
      if (chosen.length === 0) throw new Failure(`Eine offene Übertragung „${what}“ gibt es nicht, auch kein Event mit einer.`);
      for (const upload of chosen) await uploads.resumable.end(upload);
      terminal.print(`${count(chosen.length, 'Übertragung', 'Übertragungen')} beendet.`);
    },
  },
];
