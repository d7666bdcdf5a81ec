import type { Db } from '../database/open.ts';
import type { Decoder } from '../images/decoder.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Staging } from '../storage/staging.ts';
import type { Vault } from '../vault/vault.ts';
import type { SealedMetadata } from './sealed-metadata/sealed-metadata.ts';

/** The adapters below the features. Each feature picks the ones that it needs; tests pass their own. */
export interface Context {
  db: Db;
  blobs: BlobStore;
  staging: Staging;
  decoder: Decoder;
  vault: Vault;
  sealedMetadata: SealedMetadata;
  clock: Clock;
  log: Log;
  /** Aborted when this process ends; the next run continues where a step stopped. */
  ending: AbortSignal;
}
