import { resolve } from 'node:path';
import { BackupProblem } from '../features/backup/backup.ts';
import { positional, type Command } from './command.ts';
import { Failure } from './failures.ts';

export const backup: Command = {
  name: 'backup',
  parameters: '<Ordner>',
  summary: 'sichert Datenbank und Fotos in einen Ordner; Stände vor mehr als 14 Tagen gehen dabei',
  async run(args, { parts, terminal }) {
    const [folder = ''] = positional(args, 1, 1);
    const done = await (await parts()).backup.take(resolve(folder)).catch(asFailure);
    terminal.print(
      `Sicherung ${done.snapshot}: ${done.photos} ${done.photos === 1 ? 'Foto' : 'Fotos'}, ${done.copied} Dateien kopiert, ${done.present} waren schon da.`,
    );
    if (done.removed > 0) terminal.print(`${done.removed} ${done.removed === 1 ? 'alter Stand' : 'alte Stände'} entfernt.`);
    for (const key of done.rotten) terminal.print(`Datei ${key}: war in der Sicherung beschädigt und ist neu kopiert`);
    for (const key of done.missing) terminal.print(`Datei ${key}: fehlt im Fotospeicher oder ist unvollständig`);
    return done.missing.length === 0 ? 0 : 1;
  },
};

export function asFailure(error: unknown): never {
  throw error instanceof BackupProblem ? new Failure(error.message) : error;
}
