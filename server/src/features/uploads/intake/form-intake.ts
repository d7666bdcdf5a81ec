import type { FastifyRequest } from 'fastify';
import type { EventRow } from '../../../database/rows.ts';
import type { Connection } from '../../../http/body.ts';
import { formOf } from '../../../http/form.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import { addressNetwork } from '../../../lib/address.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { decodeText } from '../../../lib/decode-text.ts';
import { Refusal } from '../../../lib/errors.ts';
import type { UploadContext } from '../context.ts';
import type { Originals, StagedOriginal } from '../storing/original.ts';
import type { StoredUpload } from '../storing/answering.ts';
import type { Placing } from '../storing/placing.ts';
import type { Admission } from './admission.ts';
import { createSender, type Sender } from './sender.ts';
import type { UploadSlots } from './slots.ts';

/** Most bytes of a form beside its file: fields, part headers, delimiters. */
const FORM_OVERHEAD_BYTES = 32 * 1024;

/** Refusals that a form may owe to a lost password: a proxy may have removed it from the headers. */
const WITHOUT_PASSWORD: ReadonlySet<string> = new Set(['wrong_event_password', 'upload_disabled']);

/** Most bytes of a field; longer fields are cut. */
const FIELD_BYTES = 1024;

interface FilePart {
  kind: 'file';
  filename: string;
  /** Throws Refusal upload_incomplete. */
  bytes: AsyncIterable<Bytes>;
}
type UploadPart = { kind: 'field'; name: string; value: string } | FilePart;

/** A form as it arrives, with decoded texts. */
export interface IncomingUpload {
  visitor: DeviceVisitor;
  /** The code in the header; null: a field before the file has it. */
  eventCode: string | null;
  deviceName: string;
  /** The password in the header; null: a field before the file may have it. */
  password: string | null;
  /** Length of the whole form, bytes; null if the client does not announce it. */
  contentLength: number | null;
  /** True if the form is the file alone. */
  isBare?: boolean;
  form: AsyncIterable<UploadPart>;
  connection: Connection;
  /** The token of a link that the Fotobox has printed already. */
  linkToken: string | null;
  /** Secret that recognises repeats in place of the device's id. The id is forgotten then, and the answer has no link. */
  repeatSecret?: string;
}

/** A form that is being read. */
interface Form {
  parts: AsyncIterator<UploadPart>;
  sender: Sender;
  fields: Map<string, string>;
}

interface Rooms {
  slots: UploadSlots;
  admission: Admission;
  originals: Originals;
  placing: Placing;
}

/** Takes an upload in one form: all of it or nothing. `owned` gives everything back, in reverse order, after the answer or the error. */
export function createFormIntake({ maxBytes, stallMs }: UploadContext, { slots, admission, originals, placing }: Rooms) {
  async function receive(upload: IncomingUpload): Promise<StoredUpload> {
    await using owned = new AsyncDisposableStack();
    const { visitor, contentLength, connection } = upload;
    const { gone } = connection;
    const sender = createSender({ stallMs, hangUp: connection.hangUp });
    const form: Form = { parts: upload.form[Symbol.asyncIterator](), sender, fields: new Map() };
    owned.defer(async () => void (await form.parts.return?.()));

    const eventCode = upload.eventCode ?? (await readField('eventCode', form, visitor, gone));
    if (eventCode === undefined) throw new Refusal('event_code_missing');
    const overhead = upload.isBare ? 0 : FORM_OVERHEAD_BYTES;
    const size = contentLength === null ? null : { least: Math.max(0, contentLength - overhead), most: contentLength };
    const isForgotten = upload.repeatSecret !== undefined;
    const admit = (password: string | null) =>
      admission.admit(eventCode, { visitor, password }, size && { ...size, inPieces: false, isForgotten });
    const given = upload.password ?? form.fields.get('eventPassword') ?? null;
    const { event, ...admitted } = await admit(given).catch(async (error: unknown) => {
      const isWithout = given === null && error instanceof Refusal && WITHOUT_PASSWORD.has(error.code);
      const password = isWithout ? await readField('eventPassword', form, visitor, gone) : undefined;
      if (password === undefined) throw error;
      return admit(password);
    });
    owned.use(await admission.slot(event, visitor, sender, gone));

    const original = await receiveOriginal(form, event, upload, owned);
    const deviceName = form.fields.get('deviceName') ?? upload.deviceName;
    const { linkToken } = upload;
    return await placing.original(original, {
      visitor,
      deviceName,
      ...admitted,
      gone,
      completion: null,
      linkToken,
      isForgotten,
    });
  }

  /** Reads fields until the file; undefined if the form, or the field `until`, ends before. */
  async function nextFile({ parts, sender, fields }: Form, until?: string): Promise<FilePart | undefined> {
    for (;;) {
      const part = await sender.nextPart(parts);
      if (part?.kind !== 'field') return part;
      fields.set(part.name, part.value);
      if (part.name === until) return undefined;
    }
  }

  /** Reads a field before the file, for a missing header; its sender has a quarter of `stallMs` (5 s). */
  async function readField(name: string, form: Form, { address }: DeviceVisitor, gone: AbortSignal): Promise<string | undefined> {
    using _slot = await slots.unnamed(addressNetwork(address), gone);
    const timer = setTimeout(form.sender.hangUp, stallMs / 4);
    await nextFile(form, name).finally(() => clearTimeout(timer));
    return form.fields.get(name);
  }

  /** Reads the form to its end: the file goes sealed to the local disk, and plain into memory if there is room. */
  async function receiveOriginal(
    form: Form,
    event: EventRow,
    { visitor, contentLength, connection, repeatSecret }: IncomingUpload,
    owned: AsyncDisposableStack,
  ): Promise<StagedOriginal> {
    // The slot comes before the form's first byte, which takes memory already.
    using slot = await slots.receiving(event, connection.gone);
    form.sender.useSlot(slot);
    const file = await nextFile(form);
    if (!file) throw new Refusal('file_missing');
    const incoming = {
      eventId: event.id,
      deviceId: visitor.deviceId,
      filename: file.filename,
      mostBytes: contentLength,
      upload: null,
      repeatSecret,
    };
    const original = owned.use(await originals.stage(form.sender.pieces(file.bytes, maxBytes), incoming));
    // Fields may follow the file.
    await nextFile(form);
    return original;
  }

  return receive;
}

/**
 * Reads the parts of an upload's form as they arrive: at most one file, named `file`, and a few short fields. Throws Refusal file_missing
 * (no form at all), invalid_input, upload_incomplete.
 */
export async function* readUpload(request: FastifyRequest): AsyncGenerator<UploadPart> {
  let files = 0;
  for await (const { name, filename, bytes } of formOf(request)) {
    if (filename === null) yield { kind: 'field', name, value: await beginningOf(bytes) };
    else if (name !== 'file') throw new Refusal('invalid_input', { fields: { [name]: 'Die Datei gehört in das Feld file.' } });
    else if (++files > 1) throw new Refusal('invalid_input');
    else yield { kind: 'file', filename, bytes };
  }
}

/** Reads a field to its end and returns its first FIELD_BYTES. */
async function beginningOf(field: AsyncIterable<Bytes>): Promise<string> {
  let text = Buffer.alloc(0);
  for await (const piece of field)
    if (text.length < FIELD_BYTES) text = Buffer.concat([text, piece.subarray(0, FIELD_BYTES - text.length)]);
  return decodeText(text, text.length === FIELD_BYTES);
}
