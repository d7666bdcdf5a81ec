import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { adminOf, createEvent } from '../e2e/support/api.ts';
import { startServer } from '../e2e/support/server.ts';
import { note, promise, round } from './support/report.ts';

/** Time for which another process holds the database's file, ms: longer than SQLite itself would wait for it. */
const HELD_MS = 6000;
/** Events deleted meanwhile; each deletion wipes keys from the file. */
const DELETED = 10;
const CLIENTS = 4;
const LIMIT_MS = 100;

/** Measures requests while a foreign program reads the SQLite file, or writes to it. */
export async function benchForeignReader(): Promise<void> {
  const server = await startServer();
  const foreign = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: HELD_MS });
  try {
    const admin = await adminOf(server.url);
    const { code } = await createEvent(admin);
    const doomed: string[] = [];
    for (let n = 0; n < DELETED; n++) doomed.push((await createEvent(admin)).id);
    const longest = async (work: () => Promise<void>): Promise<number> => {
      let working = true;
      let most = 0;
      const client = async (): Promise<void> => {
        while (working) {
          const began = performance.now();
          const response = await fetch(`${server.url}/event/${code}`);
          await response.arrayBuffer();
          if (!response.ok) throw new Error(`an event's page answered ${response.status}`);
          most = Math.max(most, performance.now() - began);
          await pause(5);
        }
      };
      const clients = Promise.all(Array.from({ length: CLIENTS }, client));
      await work().finally(() => (working = false));
      await clients;
      return most;
    };
    // Code is slow on its first run.
    await longest(() => pause(1000));
    note(`longest request beside nobody: ${round(await longest(() => pause(HELD_MS)))} ms`);

    foreign.exec('begin');
    foreign.prepare('select count(*) from events').get();
    const reading = await longest(async () => {
      for (const id of doomed) {
        await admin.json('DELETE', `/admin/events/${id}`);
        await pause(HELD_MS / DELETED);
      }
    });
    foreign.exec('commit');
    promise('longest request while a foreign reader holds the file', reading, '<=', LIMIT_MS, ' ms');

    foreign.exec('begin immediate');
    const writing = await longest(async () => {
      const made = createEvent(admin);
      await pause(HELD_MS);
      foreign.exec('commit');
      await made;
    });
    promise('longest request while a foreign writer holds the file', writing, '<=', LIMIT_MS, ' ms');
  } finally {
    foreign.close();
    await server.dispose();
  }
}
