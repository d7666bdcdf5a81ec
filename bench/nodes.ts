import { adminOf } from '../e2e/support/api.ts';
import { missingForCluster, startCluster, type Cluster } from '../e2e/support/cluster.ts';
import { drawPhoto } from '../e2e/support/photos.ts';
import type { TestServer } from '../e2e/support/server.ts';
import { benchDatabaseShare } from './nodes/database-share.ts';
import { benchNews } from './nodes/news.ts';
import { benchOutages, benchRestarts, type MakePhoto } from './nodes/outages.ts';
import { note } from './support/report.ts';

type Part = (cluster: Cluster, admin: Awaited<ReturnType<typeof adminOf>>, photo: MakePhoto) => Promise<void>;

const PARTS: Record<string, Part> = {
  outages: benchOutages,
  restarts: benchRestarts,
  upload: benchDatabaseShare,
  news: ({ databaseUrl }) => benchNews(databaseUrl),
};

/**
 * Measures three nodes on one PostgreSQL and one S3 store: outages, rolling restarts, the database's cost of an upload, and news.
 * `BENCH_PARTS=upload,news` runs the named parts alone.
 */
export async function benchNodes(): Promise<void> {
  if (missingForCluster.length > 0) return note(`skipped: ${missingForCluster.join(', ')} missing`);
  const named = process.env.BENCH_PARTS?.split(',') ?? Object.keys(PARTS);
  const cluster = await startCluster(3, { STORAGE_TIMEOUT: '3', SHUTDOWN_DELAY: '5' });
  try {
    const admin = await adminOf((cluster.nodes[0] as TestServer).url);
    const base = await drawPhoto(1, 300, 200);
    const photo = (name: string): Buffer => Buffer.concat([base, Buffer.from(`#${name}`)]);
    for (const [name, part] of Object.entries(PARTS)) if (named.includes(name)) await part(cluster, admin, photo);
  } finally {
    await cluster.dispose();
  }
}
