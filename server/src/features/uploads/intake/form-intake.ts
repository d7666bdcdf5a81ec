import type { FastifyRequest } from 'fastify';
import type { EventRow } from '../../../database/schema.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import { addressNetwork } from '../../../lib/address.ts';
import { handOver } from '../../../lib/buffer-handover.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import type { UploadGround } from '../ground.ts';
import type { Originals, StagedOriginal } from '../storing/original.ts';
import type { StoredUpload, Storing } from '../storing/storing.ts';
import type { Admission } from './admission.ts';
import { createSender, type Connection, type Sender } from './sender.ts';
import type { UploadSlots } from './slots.ts';

/** What a form has beside its file at most: fields, part headers, delimiters. */
const FORM_OVERHEAD_BYTES = 32 * 1024;

const FIELDS = 8;
const FIELD_BYTES = 1024;

interface FilePart {
  kind: 'file';
  filename: string;
  /** Throws Refusal upload_incomplete. */
  bytes: AsyncIterable<Bytes>;
}
type FormPart = { kind: 'field'; name: string; value: string } | FilePart;

/** What @fastify/multipart says of a malformed form; every other error is a broken connection. */
const MALFORMED = new Set([
  'FST_PARTS_LIMIT',
  'FST_FILES_LIMIT',
  'FST_FIELDS_LIMIT',
  'FST_PROTO_VIOLATION',
  'FST_INVALID_MULTIPART_CONTENT_TYPE',
  'FST_INVALID_JSON_FIELD_ERROR',
]);

/** A form as it arrives. Texts are decoded. */
export interface IncomingUpload {
  visitor: DeviceVisitor;
  /** From the header; null: the form names it in a field before the file. */
  eventCode: string | null;
  deviceName: string;
  password: string | null;
  /** Bytes of the whole form, where the client announces them. */
  contentLength: number | null;
  form: AsyncIterable<FormPart>;
  connection: Connection;
}

/** A form that is being read. */
interface Form {
  parts: AsyncIterator<FormPart>;
  sender: Sender;
  fields: Map<string, string>;
}

interface Rooms {
  slots: UploadSlots;
  admission: Admission;
  originals: Originals;
  storing: Storing;
}

/** An upload in one form: whole or nothing. All its steps; `owned` gives everything back, in reverse order, after the answer or the error. */
export function createFormIntake({ photos, maxBytes, stallMs }: UploadGround, { slots, admission, originals, storing }: Rooms) {
  async function receive(upload: IncomingUpload): Promise<StoredUpload> {
    await using owned = new AsyncDisposableStack();
    owned.defer(photos.previews.hold());
    const { visitor, contentLength, connection } = upload;
    const { gone } = connection;
    const sender = createSender({ stallMs, hangUp: connection.hangUp });
    const form: Form = { parts: upload.form[Symbol.asyncIterator](), sender, fields: new Map() };
    owned.defer(async () => void (await form.parts.return?.()));

    const eventCode = upload.eventCode ?? (await readEventCode(form, visitor, gone));
    const size = contentLength === null ? null : { least: Math.max(0, contentLength - FORM_OVERHEAD_BYTES), most: contentLength };
    const { event, fotobox } = await admission.admit(eventCode, upload, size && { ...size, inPieces: false });
    owned.use(await admission.slot(event, visitor, sender, gone));

    const original = await receiveOriginal(form, event, upload, owned);
    const deviceName = form.fields.get('deviceName') ?? upload.deviceName;
    return await storing.store(original, { visitor, deviceName, fotobox, gone, note: null });
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
  async function readEventCode(form: Form, { address }: DeviceVisitor, gone: AbortSignal): Promise<string> {
    using _slot = await slots.unnamed(addressNetwork(address), gone);
    const timer = setTimeout(form.sender.hangUp, stallMs / 4);
    await nextFile(form, 'eventCode').finally(() => clearTimeout(timer));
    const code = form.fields.get('eventCode');
    if (code === undefined) throw new Refusal('event_code_missing');
    return code;
  }

  /** Reads the form to its end: the file goes sealed to the local disk, and plain into memory where there is room. */
  async function receiveOriginal(
    form: Form,
    event: EventRow,
    { visitor, contentLength, connection }: IncomingUpload,
    owned: AsyncDisposableStack,
  ): Promise<StagedOriginal> {
    // Already the form's first byte takes memory, not only the file.
    using slot = await slots.receiving(event, connection.gone);
    form.sender.useSlot(slot);
    const file = await nextFile(form);
    if (!file) throw new Refusal('file_missing');
    const incoming = { eventId: event.id, deviceId: visitor.deviceId, filename: file.filename, mostBytes: contentLength };
    const original = owned.use(await originals.stage(form.sender.pieces(file.bytes, maxBytes), incoming));
    // Fields may follow the file.
    await nextFile(form);
    return original;
  }

  return receive;
}

/**
 * The parts of an upload's form as they arrive: at most one file, named `file`, and a few short fields. A file that is larger
 * than `maxBytes` is cut off one byte after. Throws Refusal file_missing (no form at all), invalid_input, upload_incomplete.
 */
export async function* readForm(request: FastifyRequest, maxBytes: number): AsyncGenerator<FormPart> {
  if (!request.isMultipart()) throw new Refusal('file_missing');
  // A connection that ended before the form is read would never be noticed later.
  if (request.raw.destroyed) throw new Refusal('upload_incomplete');
  const parts = request.parts({
    throwFileSizeLimit: false,
    limits: {
      files: 1,
      fileSize: maxBytes + 1,
      fields: FIELDS,
      parts: FIELDS + 1,
      fieldSize: FIELD_BYTES,
      fieldNameSize: 100,
      headerPairs: 20,
      headerSize: 8 * 1024,
    },
  } as Parameters<FastifyRequest['parts']>[0]);
  for await (const part of withRefusals(parts)) {
    if (part.type === 'field') yield { kind: 'field', name: part.fieldname, value: String(part.value) };
    else if (part.fieldname === 'file') yield { kind: 'file', filename: part.filename ?? '', bytes: withRefusals(part.file, handOver) };
    else throw new Refusal('invalid_input', { fields: { [part.fieldname]: 'Die Datei gehört in das Feld file.' } });
  }
}

/** The same stream, with Refusals in place of the parser's errors. */
async function* withRefusals<T>(source: AsyncIterable<T>, each = (one: T): T => one): AsyncGenerator<T> {
  try {
    for await (const one of source) yield each(one);
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    const malformed = MALFORMED.has(code ?? '') || message === 'Multipart: Boundary not found';
    throw new Refusal(malformed ? 'invalid_input' : 'upload_incomplete', { cause: error });
  }
}
