import { resolve } from 'node:path';
import type { Command } from './command.ts';
import { checkDecoder } from './doctor/decoder.ts';
import { checkDisk } from './doctor/disk.ts';
import type { Line } from './doctor/line.ts';
import { checkNetwork } from './doctor/network.ts';
import { checkService } from './doctor/service.ts';
import { checkBackup, checkStores } from './doctor/stores.ts';
import { checkUploads } from './doctor/uploads.ts';

const WIDTH = 'Achtung'.length;

export const doctor: Command = {
  name: 'doctor',
  parameters: '[<Ordner der Sicherungen>]',
  summary: 'untersucht die Umgebung: Platz, Dienst, Uhr, Proxy, Decoder, Datenbank, Speicher, Sicherungen',
  async run({ args: [folder] }, { config, parts, terminal }) {
    let failed = false;
    const say = (lines: Line[]): void => {
      for (const { state, about, text } of lines) {
        failed ||= state === 'Fehler';
        terminal.print(`${state.padEnd(WIDTH)}  ${about}: ${text}`);
      }
    };
    say(await checkDisk(config.dataDir));
    say([await checkService(config)]);
    say(await checkStores(parts));
    say([await checkUploads(parts)]);
    say(await checkNetwork(config.publicUrl, config.maxUploadBytes));
    say(await checkDecoder());
    say([await checkBackup(parts, folder === undefined ? undefined : resolve(folder))]);
    return failed ? 1 : 0;
  },
};
