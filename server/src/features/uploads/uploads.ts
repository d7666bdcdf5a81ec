import type { Db } from '../../database/open.ts';
import type { Decoder } from '../../images/decoder.ts';
import { addressNetwork } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { Staging } from '../../storage/staging.ts';
import type { Vault } from '../../vault/vault.ts';
import type { BlobLife } from '../integrity/blob-life.ts';
import type { Descriptions } from '../descriptions/descriptions.ts';
import { deviceHash } from '../devices/devices.ts';
import type { Events } from '../events/events.ts';
import type { Links } from '../links/links.ts';
import type { Photos } from '../photos/photos.ts';
import { createAdmission, type Admitted, type Size } from './admission.ts';
import { FORM_OVERHEAD_BYTES, type FilePart, type FormPart } from './form.ts';
import { createOriginals } from './original.ts';
import { createPartStream, isBreak } from './part-stream.ts';
import { createPlainMemory, type PlainMemory } from './plain-memory.ts';
import { createResumable, type Resumable } from './resumable.ts';
import { createSender, type Sender } from './sender.ts';
import { createStoring } from './storing.ts';
import type { IncomingUpload, StagedOriginal, StoredUpload } from './upload.ts';
import { createUploadSlots } from './upload-slots.ts';
import { createUploadStore, type Note } from './uploads.store.ts';

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
  /** Uploads that can be resumed after a break. */
  resumable: Resumable;
  /** Stores one photo durably. Throws Refusal as the contract lists them; then nothing of it stays. */
  receive(upload: IncomingUpload): Promise<StoredUpload>;
  /** Waits for work that goes on after its sender has left: it still needs database and stores. */
  ended(): Promise<void>;
}

/** A form that is being read. */
interface Form {
  parts: AsyncIterator<FormPart>;
  sender: Sender;
  fields: Map<string, string>;
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
export function createUploads({
  db,
  blobs,
  staging,
  vault,
  decoder,
  events,
  photos,
  links,
  descriptions,
  life,
  clock,
  log,
  maxBytes,
  maxVideoBytes,
  atOnce,
  stallMs = STALL_MS,
  memory = createPlainMemory(PLAIN_MEMORY_BYTES),
}: Parts): Uploads {
  const store = createUploadStore(db, vault);
  const slots = createUploadSlots({ atOnce, graceMs: stallMs / 10 });
  const admission = createAdmission({ events, vault, store, maxBytes, maxVideoBytes });
  const originals = createOriginals({ vault, staging, memory, clock });
  const shared = { db, blobs, staging, vault, photos, originals, life, clock, log };
  const storing = createStoring({ ...shared, store, decoder, links, descriptions, maxPhotoBytes: maxBytes });
  const resumable = createResumable({ ...shared, uploads: store, admission, storing, slots, stallMs });
  const underWay = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const ended: Promise<unknown> = work.catch(() => undefined).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return work;
  }

  /** All steps of an upload; `owned` gives everything back, in reverse order, after the answer or the error. */
  async function receive(upload: IncomingUpload): Promise<StoredUpload> {
    if (upload.resumable && upload.connection) await resumable.form.refuseRepeat(upload.resumable.key, upload.visitor, upload.connection);
    await using owned = new AsyncDisposableStack();
    owned.defer(photos.previews.hold());
    const form = beginForm(upload);
    owned.defer(async () => void (await form.parts.return?.()));

    const { visitor } = upload;
    const { deviceId, address } = visitor;
    const network = addressNetwork(address);
    const eventCode = upload.eventCode ?? (await readEventCode(form, network));
    const admitted = await admission.admit(eventCode, upload, sizeIn(upload));
    const { event, fotobox } = admitted;
    // Devices that have uploaded before are not cut off for being slow: everybody may be at a crowded place.
    const sender = (await store.isKnown(event.id, deviceHash(vault, deviceId, event.id))) ? null : form.sender;
    const gone = upload.connection?.gone;
    owned.use(await slots.upload(event, { network, deviceId, sender, gone }));

    const { resumable: resume } = upload;
    const original = await receiveOriginal(form, admitted, upload);
    if (!original) return await resumable.form.finish(resume?.key ?? '', visitor);
    owned.use(original);
    const deviceName = deviceNameOf(form, upload);
    const from = { visitor, deviceName, fotobox, gone };
    if (!resume) return await storing.store(original, { ...from, note: null });
    const keyed = { key: resume.key, length: original.digest.size, visitor, filename: original.filename, deviceName };
    const storePhoto = (note: Note): Promise<StoredUpload> => storing.store(original, { ...from, note });
    return await resumable.form.storeNoted(keyed, admitted, storePhoto).catch((error: unknown) => {
      if (error !== gone?.reason) throw error;
      return resumable.form.storeLeft(keyed, admitted, original);
    });
  }

  function beginForm({ form, connection }: IncomingUpload): Form {
    const sender = createSender({ stallMs, hangUp: () => connection?.hangUp() });
    return { parts: form[Symbol.asyncIterator](), sender, fields: new Map() };
  }

  /** Reads fields until the file; undefined where the form, or the field `until`, ends before. */
  async function nextFile({ parts, sender, fields }: Form, until?: string): Promise<FilePart | undefined> {
    for (;;) {
      const part = await sender.nextPart(parts);
      if (part?.kind !== 'field') return part;
      fields.set(part.name, part.value);
      if (part.name === until) return undefined;
    }
  }

  /** The code of a form whose header has none; its sender has a quarter of `stallMs` (5 s). */
  async function readEventCode(form: Form, network: string): Promise<string> {
    using _slot = await slots.unnamed(network);
    const timer = setTimeout(form.sender.hangUp, stallMs / 4);
    await nextFile(form, 'eventCode').finally(() => clearTimeout(timer));
    const code = form.fields.get('eventCode');
    if (code === undefined) throw new Refusal('event_code_missing');
    return code;
  }

  /**
   * Reads the form to its end: the file goes sealed to the local disk, and plain into memory where there is room. Null: it is long, or its
   * sender slow, and goes on in parts.
   */
  async function receiveOriginal(form: Form, admitted: Admitted, upload: IncomingUpload): Promise<StagedOriginal | null> {
    await using owned = new AsyncDisposableStack();
    const { event } = admitted;
    const { visitor, contentLength, connection } = upload;
    const resume = upload.resumable?.length == null ? null : { key: upload.resumable.key, length: upload.resumable.length };
    // Already the form's first byte takes memory, not only the file.
    using slot = await slots.receiving(event);
    form.sender.useSlot(slot);
    using active = resume && connection && resumable.form.start(resume.key, visitor, form.sender, connection);
    const file = await nextFile(form);
    if (!file) throw new Refusal('file_missing');

    const pieces = form.sender.pieces(file.bytes, maxBytes);
    const stream = active && createPartStream(pieces);
    if (stream) owned.defer(stream.close);
    const incoming = { eventId: event.id, deviceId: visitor.deviceId, filename: file.filename, mostBytes: contentLength };
    const original = owned.use(await originals.stage(stream ? stream.next() : pieces, incoming));
    const arrived = () => ({
      ...(resume as NonNullable<typeof resume>),
      visitor,
      filename: file.filename,
      deviceName: deviceNameOf(form, upload),
    });
    if (stream && (await stream.more())) {
      await resumable.form.receiveRest(arrived(), admitted, original, { rest: stream, sender: active });
      await nextFile(form);
      return null;
    }
    try {
      if (stream?.error() !== undefined) throw stream.error();
      // Fields may follow the file.
      await nextFile(form);
    } catch (error) {
      if (active && !active.isSuperseded() && isBreak(error)) await resumable.form.keepArrived(arrived(), admitted, original);
      throw error;
    }
    const kept = owned.move();
    return { ...original, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  }

  const deviceNameOf = (form: Form, upload: IncomingUpload): string => form.fields.get('deviceName') ?? upload.deviceName;

  return {
    maxBytes,
    maxVideoBytes,
    resumable: { ...resumable, append: (...args) => track(resumable.append(...args)) },
    waiting: slots.waiting,
    receive: (upload) =>
      track(receive(upload)).catch((error: unknown) => {
        throw isDiskFull(error) ? new Refusal('disk_full', { cause: error }) : error;
      }),
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** What a form's length, and its file's where that is announced, say of its file. */
function sizeIn({ contentLength, resumable }: IncomingUpload): Size | null {
  const length = resumable?.length ?? null;
  if (contentLength === null && length === null) return null;
  const least = Math.max((contentLength ?? 0) - FORM_OVERHEAD_BYTES, length ?? 0);
  return { least, most: Math.max(contentLength ?? 0, length ?? 0), inPieces: false };
}
