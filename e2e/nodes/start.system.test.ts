import { expect, it } from 'vitest';
import { missingForCluster, startCluster } from '../support/cluster.ts';
import { startServer } from '../support/server.ts';

// The first start of all looks whether a store without a mark has photos of another database (store-owner.ts).
it.skipIf(missingForCluster.length > 0)('a node lists nothing at its start of the photo store that its database has marked', async () => {
  const cluster = await startCluster(0);
  try {
    // At night a start's hourly work would include a sweep, unless one has just begun.
    const value = Buffer.from(JSON.stringify({ begunAt: Date.now(), after: null }));
    await cluster.db.kysely.insertInto('settings').values({ name: 'sweep', value }).execute();
    const retention = cluster.db.kysely.selectFrom('leases').select('ran_at').where('name', '=', 'retention');
    const ranAt = async () => (await retention.executeTakeFirst())?.ran_at ?? 0;
    await (await startServer(cluster.settingsOf('node-1'))).dispose();
    await cluster.db.kysely.deleteFrom('leases').execute();
    const [lists, writes] = [cluster.store.count('list-type=2'), cluster.store.count('write-check')];
    const node = await startServer(cluster.settingsOf('node-1'));
    await expect.poll(ranAt).toBeGreaterThan(0);
    expect([writes() > 0, lists()]).toEqual([true, 0]);
    await node.dispose();
  } finally {
    await cluster.dispose();
  }
});
