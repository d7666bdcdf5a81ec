import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DISK_SCARCE, DISK_TOO_LITTLE } from '@feierbild/contract/constants.ts';
import { size } from '../german.ts';
import { bad, caution, good, reason, type Check } from './line.ts';

/** Whether the data folder can be written to, and how much fits. */
export const checkDisk: Check = async function* ({ config: { dataDir } }) {
  const probe = join(dataDir, `.doctor-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(probe, 'ok');
  } catch (error) {
    return yield bad('DATA_DIR', `${dataDir} ist nicht beschreibbar (${reason(error)}). Geben Sie dem Benutzer des Dienstes Rechte.`);
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const room = `${size(free)} frei`;
  if (free < DISK_TOO_LITTLE) yield bad('Platz', `nur ${room} in ${dataDir}. Schaffen Sie Platz, sonst werden Fotos abgelehnt.`);
  else if (free < DISK_SCARCE) yield caution('Platz', `${room} in ${dataDir}. Ein großes Fest braucht mehr als 10 GB.`);
  else yield good('Platz', `${dataDir} ist beschreibbar, ${room}.`);
};
