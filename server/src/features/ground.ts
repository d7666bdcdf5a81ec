import type { Db } from '../database/open.ts';
import type { Decoder } from '../images/decoder.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Staging } from '../storage/staging.ts';
import type { Vault } from '../vault/vault.ts';
import type { Descriptions } from './descriptions/descriptions.ts';

/** What lies below the features, and opens what people wrote about photos; the same for all: each takes from it what it needs. Tests pass their own. */
export interface Ground {
  db: Db;
  blobs: BlobStore;
  staging: Staging;
  decoder: Decoder;
  vault: Vault;
  descriptions: Descriptions;
  clock: Clock;
  log: Log;
  /** Aborted when this process ends; what a step leaves then is taken up by the next run. */
  ending: AbortSignal;
}
