import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openDatabase } from '../../server/src/database/open.ts';
import { purgeEvent } from '../../server/src/features/events/purge.ts';
import { createJanitor } from '../../server/src/features/integrity/janitor.ts';
import { findTrim, keepMemoryLow } from '../../server/src/lib/memory.ts';
import { createFolderStore } from '../../server/src/storage/folder-store.ts';
import { createS3Store } from '../../server/src/storage/s3-store.ts';
import type { Work, Worked } from './work.ts';

/** `worker.ts sweep|purge <json>` works with the server's own parts and limits, and prints the costs. */
const [kind, json = '{}'] = process.argv.slice(2);
const { url, file = '', store, event = '', partMs, again = false } = JSON.parse(json) as Work;
const db = await openDatabase({ url: url ?? null, file }, { schema: 'require' });
const bucket = new URL(store, 'file:');
const blobs =
  bucket.protocol === 's3:'
    ? createS3Store({
        bucket: bucket.host,
        prefix: `${bucket.pathname.slice(1)}/`,
        endpoint: bucket.searchParams.get('endpoint') as string,
      })
    : createFolderStore({ folder: store, shared: true });
/** The clock is ahead, so that files written just now count as old. */
const clock = { now: () => Date.now() + (again ? 20 : 4) * 60 * 60 * 1000 };
keepMemoryLow(await findTrim());
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const began = performance.now();
let [removed, done] = [0, true];
if (kind === 'sweep') {
  const janitor = createJanitor({ db, blobs, clock, ...(partMs !== undefined && { partMs }) });
  removed = await janitor.sweepPart({ night: true });
  const row = await db.kysely.selectFrom('settings').select('value').where('name', '=', 'sweep').executeTakeFirstOrThrow();
  done = (JSON.parse(Buffer.from(row.value).toString()) as { after: string | null }).after === null;
} else {
  await purgeEvent({ db, blobs, clock, onPurged: () => undefined }, event);
}
const ms = performance.now() - began;
const worked: Worked = { ms, removed, done, peakMb: process.resourceUsage().maxRSS / 1000, stoodMs: delay.max / 1e6 };
console.log(JSON.stringify(worked));
await blobs.close();
await db.close();
