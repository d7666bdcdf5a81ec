import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { openDatabase, type DatabaseLocation } from './database/open.ts';
import type { Context } from './features/context.ts';
import { createDecoder } from './images/create-decoder.ts';
import type { Decoder } from './images/decoder.ts';
import { systemClock } from './lib/clock.ts';
import { withDeadline } from './lib/deadline.ts';
import type { Log } from './lib/log.ts';
import { makeFolder } from './lib/make-folder.ts';
import { EVENTS_PREFIX } from './storage/blob-store.ts';
import { createFolderStore } from './storage/folder-store.ts';
import { namesInOrder } from './storage/names-in-order.ts';
import { createStaging } from './storage/staging.ts';
import { createVault } from './vault/vault.ts';

/** SQLite's file in the data folder; its log has a longer name. */
const DATABASE = 'feierbild.sqlite';
/** Longest wait for the decoders' processes and the store's connections to end. */
const CLOSE_MS = 1000;

/** Parts of the context that their opener must close. */
export type Foundation = Omit<Context, 'log' | 'ending' | 'sealedMetadata'>;

/** Returns the location of the database. */
export function databaseOf({ databaseUrl, databaseDirectUrl, dataDir }: Config): DatabaseLocation {
  return { url: databaseUrl, directUrl: databaseDirectUrl, file: join(dataDir, DATABASE) };
}

/** Returns the folders of photos and of staged uploads. */
export function storeFolders({ dataDir }: Pick<Config, 'dataDir'>): [photos: string, staging: string] {
  return [join(dataDir, 'photos'), join(dataDir, 'staging')];
}

/**
 * Returns the places of photos and keys in the data folder that the configuration does not use any more, as after a change to PostgreSQL or
 * S3: nothing is ever deleted there.
 */
export async function leftBehind(config: Pick<Config, 'databaseUrl' | 's3' | 'dataDir'>): Promise<string[]> {
  const [photos] = storeFolders(config);
  // The log beside the database holds keys, too.
  const names = config.databaseUrl ? (await Array.fromAsync(namesInOrder(config.dataDir))).flat() : [];
  const rows = names.filter((name) => name.startsWith(DATABASE) && !name.endsWith('/'));
  const hasPhotos = config.s3 !== null && (await hasFiles(join(photos, EVENTS_PREFIX)));
  return [...rows.map((name) => join(config.dataDir, name)), ...(hasPhotos ? [photos] : [])];
}

/** Tells whether a file is in a folder or below it. */
async function hasFiles(folder: string): Promise<boolean> {
  for await (const names of namesInOrder(folder))
    for (const name of names) if (!name.endsWith('/') || (await hasFiles(join(folder, name)))) return true;
  return false;
}

/**
 * Opens the configured database and stores. `shared`: other processes may write to the data folder at the same time, as beside an
 * operator's command. Throws SchemaMismatch if `schema` does not allow the needed migration.
 */
export async function openFoundation(
  config: Config,
  log: Log,
  {
    decoder,
    clock = systemClock,
    vault = createVault(),
    shared = true,
    schema,
  }: Partial<Pick<Foundation, 'clock' | 'vault'>> & { decoder: Decoder; shared?: boolean; schema: 'migrate' | 'require' },
): Promise<Foundation & { close(): Promise<void> }> {
  makeFolder(config.dataDir);
  const db = await openDatabase(databaseOf(config), {
    schema,
    patient: shared,
    connections: config.databasePool,
    statementMs: config.databaseTimeoutMs,
    node: config.nodeName,
    onLocked: () => log.warn('the migration waits for others’ transactions (pg_dump, backup, psql)'),
  });
  const [photos, staged] = storeFolders(config);
  // The import loads the SDK, so only S3 users pay for it.
  const s3 = config.s3 && (await import('./storage/s3-store.ts')).createS3Store(config.s3);
  const blobs = s3 ?? createFolderStore({ folder: photos, shared });
  const staging = createStaging({ folder: staged, uncached: !config.s3, shared: !config.s3 });
  return {
    db,
    blobs,
    staging,
    decoder,
    vault,
    clock,
    async close() {
      // A decoder process that the system does not end at once, as while a disk hangs, ends later by itself.
      await withDeadline(Promise.allSettled([decoder.close(), blobs.close()]), CLOSE_MS, 'decoder').catch(() => undefined);
      await db.close();
    },
  };
}

/** Creates a decoder whose processes start with the first photo: most of the operator's commands decode nothing. */
export function createLazyDecoder(log: Log): Decoder {
  let started: Decoder | undefined;
  const decoder = (): Decoder => (started ??= createDecoder({ log }));
  return {
    decode: (...args) => decoder().decode(...args),
    preview: (...args) => decoder().preview(...args),
    probe: (...args) => decoder().probe(...args),
    share: (...args) => decoder().share(...args),
    card: (...args) => decoder().card(...args),
    video: (...args) => decoder().video(...args),
    cleanVideo: (...args) => decoder().cleanVideo(...args),
    failing: () => started?.failing() ?? false,
    isolationFault: null,
    close: async () => started?.close(),
  };
}
