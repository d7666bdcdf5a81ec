import type { Db } from '../../database/open.ts';
import type { Decoder } from '../../images/decoder.ts';
import type { Clock } from '../../lib/clock.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Descriptions } from '../descriptions/descriptions.ts';
import type { Events } from '../events/events.ts';
import type { BlobLife } from '../integrity/blob-life.ts';
import type { Links } from '../links/links.ts';
import type { Photos } from '../photos/photos.ts';
import { createAdmission } from './intake/admission.ts';
import { createFormIntake, type IncomingUpload } from './intake/form-intake.ts';
import { createUploadSlots } from './intake/slots.ts';
import { createTusIntake, type TusIntake } from './intake/tus-intake.ts';
import { createResumable, type Resumable } from './resumable/resumable.ts';
import { createOriginals } from './storing/original.ts';
import { createUploadStore } from './storing/photos-in.store.ts';
import { createPlainMemory, type PlainMemory } from './storing/plain-memory.ts';
import { createStoring, type StoredUpload } from './storing/storing.ts';

/** For plain bytes that wait for a decoder, in all: some twenty photos of phones. */
const PLAIN_MEMORY_BYTES = 80 * 1024 * 1024;
/** A sender who sends nothing for so long loses the connection. */
const STALL_MS = 20_000;

export interface Uploads {
  /** Of a single file; of a video that comes by `resumable`. */
  maxBytes: number;
  maxVideoBytes: number;
  /** Uploads that wait for a slot. */
  waiting(): number;
  /** Stores one photo durably. Throws Refusal as the contract lists them; then nothing of it stays. */
  receive(upload: IncomingUpload): Promise<StoredUpload>;
  /** Uploads that can be resumed after a break. */
  resumable: TusIntake & Pick<Resumable, 'list' | 'endedForRoom' | 'endExpired' | 'settleAll'> & { end: Resumable['remove'] };
  /** Waits for work that goes on after its sender has left: it still needs database and stores. */
  ended(): Promise<void>;
}

interface Parts {
  db: Db;
  blobs: BlobStore;
  staging: Staging;
  vault: Vault;
  decoder: Decoder;
  events: Pick<Events, 'guests'>;
  photos: Pick<Photos, 'previews' | 'find'>;
  links: Pick<Links, 'make'>;
  descriptions: Pick<Descriptions, 'byDevice'>;
  life: BlobLife;
  clock: Clock;
  log: Log;
  /** Of a single file; of a video that comes in pieces. */
  maxBytes: number;
  maxVideoBytes: number;
  /** Uploads in work. */
  atOnce: number;
  /** Others, for tests. */
  stallMs?: number;
  memory?: PlainMemory;
}

/** Takes photos in (docs/architecture.md, „The way of an upload“): after the answer a photo is stored whole, or nothing of it is. */
export function createUploads({ stallMs = STALL_MS, memory = createPlainMemory(PLAIN_MEMORY_BYTES), ...parts }: Parts): Uploads {
  const { db, vault, events, maxBytes, maxVideoBytes, atOnce } = parts;
  const store = createUploadStore(db, vault);
  const originals = createOriginals({ ...parts, memory });
  const storing = createStoring({ ...parts, store, originals, maxPhotoBytes: maxBytes });
  const resumable = createResumable({ ...parts, originals, storing });
  const slots = createUploadSlots({ atOnce, graceMs: stallMs / 10 });
  const admission = createAdmission({ events, vault, store, maxBytes, maxVideoBytes });
  const receive = createFormIntake({ ...parts, store, slots, admission, originals, storing, stallMs });
  const tus = createTusIntake({ ...parts, resumable, store, slots, admission, stallMs });
  const underWay = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const ended: Promise<unknown> = work.catch(() => undefined).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return work.catch((error: unknown) => {
      throw isDiskFull(error) ? new Refusal('disk_full', { cause: error }) : error;
    });
  }

  const { list, endedForRoom, endExpired, settleAll, remove: end } = resumable;
  return {
    maxBytes,
    maxVideoBytes,
    waiting: slots.waiting,
    receive: (upload) => track(receive(upload)),
    resumable: { ...tus, append: (...args) => track(tus.append(...args)), list, end, endedForRoom, endExpired, settleAll },
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
