import { expect, it } from 'vitest';
import { missingForCluster, startCluster } from '../support/cluster.ts';
import { startServer } from '../support/server.ts';

it.skipIf(missingForCluster.length > 0)('a node lists nothing of the photo store at its start', async () => {
  const cluster = await startCluster(0);
  try {
    const [lists, writes] = [cluster.store.count('list-type=2'), cluster.store.count('write-check')];
    // At night a start's hourly work would include a sweep, unless one has just begun.
    const value = Buffer.from(JSON.stringify({ begunAt: Date.now(), after: null }));
    await cluster.db.kysely.insertInto('settings').values({ name: 'sweep', value }).execute();
    const node = await startServer(cluster.settingsOf('node-1'));
    const retention = cluster.db.kysely.selectFrom('leases').select('ran_at').where('name', '=', 'retention');
    await expect.poll(async () => (await retention.executeTakeFirst())?.ran_at ?? 0).toBeGreaterThan(0);
    expect([writes() > 0, lists()]).toEqual([true, 0]);
    await node.dispose();
  } finally {
    await cluster.dispose();
  }
});
