import type { UploadRow } from '../../database/schema.ts';
import { Refusal } from '../../lib/errors.ts';
import type { BlobLife } from '../integrity/blob-life.ts';
import type { ActiveSender, ActiveSenders } from './active-senders.ts';
import type { Admitted } from './admission.ts';
import type { CompleteUpload } from './complete-upload.ts';
import type { Originals } from './original.ts';
import type { PartStore } from './part-store.ts';
import { LEAST_KEPT_BYTES, type PartStream } from './part-stream.ts';
import type { ResumableStore } from './resumable.store.ts';
import type { Sender } from './sender.ts';
import type { Connection, StagedOriginal, StoredUpload } from './upload.ts';
import type { Device, KeyedUpload, UploadRecords } from './upload-records.ts';
import type { Note } from './uploads.store.ts';

interface Parts {
  store: ResumableStore;
  records: UploadRecords;
  partStore: PartStore;
  senders: ActiveSenders;
  complete: CompleteUpload;
  originals: Originals;
  life: BlobLife;
}

/** What `POST /upload` with an `Upload-Key` does beside storing a photo: where it breaks off, it can be resumed at /uploads. */
export function createKeyedForm({ store, records, partStore, senders, complete, originals, life }: Parts) {
  /** Keeps what arrived as the first part of a resumable upload: its row, with its version. Null: it is too little, or the key is taken. */
  async function keepArrived(upload: KeyedUpload, admitted: Admitted, arrived: StagedOriginal): Promise<UploadRow | null> {
    const { size } = arrived.digest;
    if (size > upload.length || (size < LEAST_KEPT_BYTES && size < upload.length)) return null;
    const { row, key, wrapped } = records.createWithKey(upload, admitted);
    const version = await partStore.addWithPart(row, { key, wrapped }, originals.open(arrived)).finally(() => void key.fill(0));
    return version === null ? null : { ...row, received: size, version };
  }

  /** The photo of an upload that was received in parts. Throws Refusal. */
  async function finish(key: string, visitor: Device): Promise<StoredUpload> {
    const row = await orIncomplete(records.find(key, visitor));
    if (row.received < row.length) throw new Refusal('upload_incomplete');
    return orIncomplete(complete(row, visitor));
  }

  return {
    keepArrived,
    finish,

    start: (key: string, visitor: Device, sender: Sender, connection: Connection): ActiveSender =>
      senders.start(records.nameOf(key, visitor), { from: 'form', version: null }, sender, connection),

    refuseRepeat: (key: string, visitor: Device, connection: Connection): Promise<void> =>
      senders.refuseRepeat(records.nameOf(key, visitor), 'form', connection),

    /** Keeps what arrived while more is coming, and receives the rest in parts: a killed node costs no more than one of them. Throws Refusal. */
    async receiveRest(
      upload: KeyedUpload,
      admitted: Admitted,
      arrived: StagedOriginal,
      { rest, sender }: { rest: PartStream; sender: ActiveSender },
    ): Promise<void> {
      const { key, visitor } = upload;
      const before = await records.findAny(key, visitor);
      // The same file from its beginning: the newer sender wins.
      if (before) await partStore.remove(before);
      // Not found by its key again: another sender of the file may have put its own row there meanwhile, of the same version.
      const row = await keepArrived(upload, admitted, arrived);
      if (!row) throw new Refusal('upload_incomplete');
      await orIncomplete(partStore.append(row, row.version, rest, { deviceId: visitor.deviceId, isSuperseded: sender.isSuperseded }));
    },

    /**
     * Stores an upload whose sender has left while it waited for a decoder. It is kept meanwhile, so that a sender who comes back finds it
     * whole. Throws Refusal.
     */
    async storeLeft(upload: KeyedUpload, admitted: Admitted, arrived: StagedOriginal): Promise<StoredUpload> {
      // The plain copy went with the wait.
      await keepArrived(upload, admitted, { ...arrived, plain: null });
      return finish(upload.key, upload.visitor);
    },

    /** Stores an upload that did not break off, and notes for a day which photo it became, for a client that loses the answer. */
    async storeNoted(
      upload: Pick<KeyedUpload, 'key' | 'length' | 'visitor'>,
      admitted: Admitted,
      storePhoto: (note: Note) => Promise<StoredUpload>,
    ): Promise<StoredUpload> {
      const row = { ...records.create(upload, admitted), received: upload.length };
      let replaced: string[] = [];
      const stored = await storePhoto({
        statements: (photoId) => store.note({ ...row, photo_id: photoId }),
        done: (rows) => (replaced = store.replacedBy(row.event_id, rows)),
      });
      await life.remove(replaced);
      return stored;
    },
  };
}

/** A `POST /upload` begins again, whatever became of its parts. */
async function orIncomplete<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isGone = error instanceof Refusal && ['upload_not_found', 'upload_offset', 'upload_expired'].includes(error.code);
    throw isGone ? new Refusal('upload_incomplete', { cause: error }) : error;
  }
}
