import type { EventRow } from '../../../database/schema.ts';
import type { DeviceVisitor } from '../../../http/visitor.ts';
import { addressNetwork } from '../../../lib/address.ts';
import { Refusal } from '../../../lib/errors.ts';
import type { UploadGround } from '../ground.ts';
import type { Originals, StagedOriginal } from '../storing/original.ts';
import type { StoredUpload, Storing } from '../storing/storing.ts';
import type { Admission } from './admission.ts';
import { FORM_OVERHEAD_BYTES, type FilePart, type FormPart } from './form.ts';
import { createSender, type Connection, type Sender } from './sender.ts';
import type { UploadSlots } from './slots.ts';

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
  /** Null for uploads of our own. */
  connection: Connection | null;
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
    const form = beginForm(upload);
    owned.defer(async () => void (await form.parts.return?.()));

    const { visitor, contentLength } = upload;
    const gone = upload.connection?.gone;
    const eventCode = upload.eventCode ?? (await readEventCode(form, visitor, gone));
    const size = contentLength === null ? null : { least: Math.max(0, contentLength - FORM_OVERHEAD_BYTES), most: contentLength };
    const { event, fotobox } = await admission.admit(eventCode, upload, size && { ...size, inPieces: false });
    owned.use(await admission.slot(event, visitor, form.sender, gone));

    const original = await receiveOriginal(form, event, upload, owned);
    const deviceName = form.fields.get('deviceName') ?? upload.deviceName;
    return await storing.store(original, { visitor, deviceName, fotobox, gone, note: null });
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
  async function readEventCode(form: Form, { address }: DeviceVisitor, gone: AbortSignal | undefined): Promise<string> {
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
    using slot = await slots.receiving(event, connection?.gone);
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
