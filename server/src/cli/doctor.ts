import type { Command } from './command.ts';
import { checkDecoder } from './doctor/decoder.ts';
import { checkDisk } from './doctor/disk.ts';
import type { Check } from './doctor/line.ts';
import { checkNetwork } from './doctor/network.ts';
import { checkService } from './doctor/service.ts';
import { checkBackup, checkStores } from './doctor/stores.ts';
import { checkUploads } from './doctor/uploads.ts';

const CHECKS: Check[] = [checkDisk, checkService, checkStores, checkUploads, checkNetwork, checkDecoder, checkBackup];
const WIDTH = 'Achtung'.length;

export const doctor: Command = {
  name: 'doctor',
  parameters: '[<Ordner der Sicherungen>]',
  summary: 'untersucht die Umgebung: Platz, Dienst, Uhr, Proxy, Decoder, Datenbank, Speicher, Sicherungen',
  async run({ args: [folder] }, { config, parts, terminal }) {
    let failed = false;
    for (const check of CHECKS) {
      for await (const { state, about, text } of check({ config, parts, folder })) {
        failed ||= state === 'Fehler';
        terminal.print(`${state.padEnd(WIDTH)}  ${about}: ${text}`);
      }
    }
    return failed ? 1 : 0;
  },
};
