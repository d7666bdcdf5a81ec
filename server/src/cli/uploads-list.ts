import { UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { options, type Command } from './command.ts';
import { berlinTime, count, size } from './german.ts';

export const uploadsList: Command = {
  name: 'uploads list',
  parameters: '',
  summary: 'zeigt die Übertragungen, die nicht fertig sind: Id, Event, Gerät, was da ist, letztes Byte; für „uploads end“',
  async run(args, { parts, terminal }) {
    options(args, { values: [] }, [0, 0]);
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
};
