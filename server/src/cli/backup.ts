import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { BackupProblem } from '../features/backup/backup.ts';
import { storeFolders } from '../foundation.ts';
import { positional, type Command } from './command.ts';
import { Failure } from './failures.ts';
import { count } from './german.ts';

export const backup: Command = {
  name: 'backup',
  parameters: '<Ordner>',
  summary: 'sichert Datenbank und Fotos in einen Ordner; Stände vor mehr als 14 Tagen gehen dabei',
  async run(args, { parts, terminal }) {
    const [given = ''] = positional(args, 1, 1);
    const folder = resolve(given);
    const { backup, config } = await parts();
    if (isWithin(folder, storeFolders(config)))
      throw new Failure(
        `In ${folder} liegen die Fotos des Dienstes. Sichern Sie in einen Ordner daneben, am besten auf einem anderen Datenträger.`,
      );
    const done = await backup.take(folder).catch(asFailure);
    terminal.print(
      `Sicherung ${done.snapshot}: ${count(done.photos, 'Foto', 'Fotos')}, ${done.copied} Dateien kopiert, ${done.present} waren schon da.`,
    );
    if (done.removed > 0) terminal.print(`${count(done.removed, 'alter Stand', 'alte Stände')} entfernt.`);
    for (const key of done.rotten) terminal.print(`Datei ${key}: war in der Sicherung beschädigt und ist neu kopiert`);
    for (const key of done.missing) terminal.print(`Datei ${key}: fehlt im Fotospeicher oder ist unvollständig`);
    return done.missing.length === 0 ? 0 : 1;
  },
};

/** Whether a folder, which need not exist, is one of others or below it, by its real path. */
function isWithin(folder: string, others: string[]): boolean {
  const real = realPath(folder) + sep;
  return others.some((other) => real.startsWith(realPath(other) + sep));
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}

export function asFailure(error: unknown): never {
  throw error instanceof BackupProblem ? new Failure(error.message) : error;
}
