import { resolve } from 'node:path';
import { DataFolderTaken, lockDataFolder } from '../storage/data-lock.ts';
import { asFailure } from './backup.ts';
import { positional, type Command } from './command.ts';
import { Failure } from './failures.ts';
import { count } from './german.ts';
import { printChecked } from './verify.ts';

export const restore: Command = {
  name: 'restore',
  parameters: '<Ordner> [<Stand>]',
  summary: 'stellt die neueste Sicherung (oder einen Stand) wieder her; nur ins Leere, der Dienst muss aus sein',
  fillsEmpty: true,
  migrates: true,
  async run(args, { parts, terminal }) {
    const [folder = '', name] = positional(args, 1, 2);
    const { config, backup, integrity } = await parts();
    const lock = takeLock(config.dataDir);
    try {
      const done = await backup.restore(resolve(folder), name).catch(asFailure);
      terminal.print(`Stand ${done.snapshot} mit ${count(done.photos, 'Foto', 'Fotos')} wiederhergestellt. Alle melden sich neu an.`);
      for (const key of done.damaged) terminal.print(`Datei ${key}: in der Sicherung beschädigt, nicht wiederhergestellt`);
      return printChecked(terminal, await integrity.check());
    } finally {
      lock.release();
    }
  },
};

function takeLock(dataDir: string): { release(): void } {
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    throw error instanceof DataFolderTaken ? new Failure(`${error.message}. Beenden Sie zuerst den Dienst.`) : error;
  }
}
