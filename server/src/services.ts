import { join } from 'node:path';
import { Registry } from 'prom-client';
import { makeFolder } from './lib/make-folder.ts';
import type { Config } from './config/config.ts';
import type { StoreOwner } from './features/integrity/store-owner.ts';
import { meterDecoder, meterStore, meterUploads, watch } from './features/monitoring/monitoring.ts';
import { openFoundation } from './foundation.ts';
import { createDecoder } from './images/create-decoder.ts';
import type { Clock } from './lib/clock.ts';
import { isDiskFull } from './lib/disk-full.ts';
import { Unavailable } from './lib/errors.ts';
import type { Log } from './lib/log.ts';
import { findTrim, keepMemoryLow } from './lib/memory.ts';
import { startStep } from './trouble.ts';
import { photoBlob, type BlobStore } from './storage/blob-store.ts';
import { cacheThumbnails } from './storage/thumbnail-cache.ts';
import { lockDataFolder } from './storage/data-lock.ts';
import type { Vault } from './vault/vault.ts';
import { wireFeatures, type Features } from './wiring.ts';

export type Services = Features & { metrics: Registry | null };

/** Creates all features of the server, locks the data folder and cleans up after a crash. Tests pass another clock and password hash. */
export async function createServices(
  config: Config,
  log: Log,
  known: { clock?: Clock; vault?: Vault } = {},
): Promise<Services & { generatedPassword: string | null }> {
  await startStep('DATA_DIR', () => makeFolder(config.dataDir));
  const lock = lockDataFolder(config.dataDir);
  const metrics = config.metrics && new Registry();
  const pools = createDecoder({
    ...(config.decoders && { processes: config.decoders }),
    heicProcesses: config.heicDecoders,
    isolation: config.decoderIsolation,
    codeFolder: join(config.dataDir, 'decoder-code'),
    log,
  });
  const decoder = metrics ? meterDecoder(pools, metrics) : pools;
  const foundation = await startStep(config.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', () =>
    openFoundation(config, log, { ...known, decoder, shared: false, schema: 'migrate' }),
  );
  const store = metrics ? meterStore(foundation.blobs, metrics) : { blobs: foundation.blobs, up: () => true };
  const blobs = config.s3 ? cacheThumbnails(store.blobs, { folder: join(config.dataDir, 'thumbnails') }) : store.blobs;
  const features = wireFeatures(config, log, { ...foundation, blobs });
  await features.settings.start();
  // Pages need this data; while the database does not answer, they say less.
  await features.compliance.lookAtSaid().catch(() => undefined);
  if (metrics) watch(metrics, { ...features, pools, store, node: config.nodeName });
  await startStep(config.s3 ? 'STORAGE_URL' : 'DATA_DIR', async () => {
    await (config.s3 ? checkRemoteStore(features.blobs, log) : features.blobs.check());
    await claimStore(features.storeOwner, log);
  });
  await features.staging.clear();
  await features.archive.recover();
  const generatedPassword = await features.admins.ensureFirst(config.adminUsername, config.adminPassword);
  const uploads = metrics ? meterUploads(features.uploads, metrics) : features.uploads;
  const stopCollecting = keepMemoryLow(await findTrim());
  const close = async (): Promise<void> => {
    await features.close();
    stopCollecting();
    await foundation.close();
    lock[Symbol.dispose]();
  };
  return { ...features, uploads, metrics, generatedPassword, close };
}

/** Makes sure that the photo store belongs to the database. A store that takes nothing is marked by a later start. Throws OthersStore. */
async function claimStore(owner: StoreOwner, log: Log): Promise<void> {
  try {
    await owner.claim();
  } catch (error) {
    if (!(error instanceof Unavailable || isDiskFull(error))) throw error;
    log.warn({ err: error }, 'the photo store was not marked as belonging to this database');
  }
}

/**
 * Checks the S3 store. A store that is full, or whose quota is, still serves galleries, walls and ZIPs; uploads are refused meanwhile.
 * Throws Unavailable if it cannot be read either, other errors if it refuses.
 */
async function checkRemoteStore(blobs: BlobStore, log: Log): Promise<void> {
  try {
    await blobs.check();
  } catch (error) {
    if (!(error instanceof Unavailable || isDiskFull(error))) throw error;
    await blobs.size(photoBlob('start', 'check', 'original'));
    log.warn({ err: error }, 'the photo store can be read, and takes nothing');
  }
}
