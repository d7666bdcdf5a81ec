import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DISK_SCARCE, DISK_TOO_LITTLE } from '@feierbild/contract/constants.ts';
import { size } from '../german.ts';
import { line, reason, type Line } from './line.ts';

/** Whether the data folder can be written to, and how much fits. */
export async function checkDisk(dataDir: string): Promise<Line[]> {
  const probe = join(dataDir, `.doctor-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(probe, 'ok');
  } catch (error) {
    return [
      line('DATA_DIR', 'Fehler', `${dataDir} ist nicht beschreibbar (${reason(error)}). Geben Sie dem Benutzer des Dienstes Rechte.`),
    ];
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const room = `${size(free)} frei`;
  if (free < DISK_TOO_LITTLE)
    return [line('Platz', 'Fehler', `nur ${room} in ${dataDir}. Schaffen Sie Platz, sonst werden Fotos abgelehnt.`)];
  if (free < DISK_SCARCE) return [line('Platz', 'Achtung', `${room} in ${dataDir}. Ein großes Fest braucht mehr als 10 GB.`)];
  return [line('Platz', 'gut', `${dataDir} ist beschreibbar, ${room}.`)];
}
