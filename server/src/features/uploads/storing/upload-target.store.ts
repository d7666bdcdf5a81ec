import { hasGalleryKeys } from '@feierbild/contract/gallery.ts';
import type { Db } from '../../../database/open.ts';
import type { EventRow, PhotoRow } from '../../../database/rows.ts';
import type { Bytes } from '../../../lib/bytes.ts';

const EVENT_COLUMNS = [
  'demo',
  'purging_at',
  'storage_limit',
  'used_bytes',
  'with_videos',
  'with_fotobox',
  'with_user_upload',
  'with_upload_password',
  'with_release',
  'release_minutes',
  'version',
  'gallery_mode',
  'gallery_opens_at',
  'gallery_revealed_at',
  'gallery_photos_per_device',
] as const;

/** The event that takes an upload, and the device's rows in it. */
export interface UploadTarget extends Pick<EventRow, (typeof EVENT_COLUMNS)[number]> {
  public_key: Bytes;
  /** The public key to which a shown photo's key is sealed at once; null if guests see nothing, or not before the host says so. */
  gallery_key: Bytes | null;
  /** Verifiers of the event's passwords. */
  upload_verifier: string | null;
  fotobox_verifier: string | null;
  /** The event's newest secret, which covers new keys. */
  secret_id: number;
  secret: Bytes;
  /** Whether the device has uploaded to the event. */
  known: boolean;
  /** The photo with this id. */
  own: PhotoRow | undefined;
  /** The device's photo with the same bytes under another id. */
  twin: PhotoRow | undefined;
}

/** Reads the event of an upload with its photos of this id or these bytes, in one round trip. */
export function createTargetReader({ kysely, batch }: Pick<Db, 'kysely' | 'batch'>) {
  /** Returns undefined if the event is gone. */
  return async function target({
    id,
    event_id,
    device_hash,
    fingerprint,
  }: Pick<PhotoRow, 'id' | 'event_id' | 'device_hash' | 'fingerprint'>): Promise<UploadTarget | undefined> {
    const newest = kysely
      .selectFrom('event_secrets')
      .select((row) => row.fn.max('event_secrets.id').as('id'))
      .where('event_secrets.event_id', '=', event_id);
    const verifierOf = (kind: string) =>
      kysely.selectFrom('event_passwords').select('verifier').where('event_id', '=', event_id).where('kind', '=', kind);
    const query = kysely
      .selectFrom('events')
      .innerJoin('event_keys', 'event_keys.event_id', 'events.id')
      .innerJoin('event_secrets', 'event_secrets.event_id', 'events.id')
      .leftJoin('gallery_keys', 'gallery_keys.event_id', 'events.id')
      .leftJoin('devices', (join) => join.onRef('devices.event_id', '=', 'events.id').on('devices.device_hash', '=', device_hash))
      .leftJoin('photos', (join) =>
        join
          .onRef('photos.event_id', '=', 'events.id')
          .on((row) => row.or([row('photos.id', '=', id), row('photos.fingerprint', '=', fingerprint)])),
      )
      .selectAll('photos')
      .select(['event_keys.public_key', 'event_secrets.id as secret_id', 'secret', 'devices.public_key as device_key'])
      .select('gallery_keys.public_key as gallery_key')
      .select([verifierOf('upload').as('upload_verifier'), verifierOf('fotobox').as('fotobox_verifier')])
      .select(EVENT_COLUMNS)
      .where('events.id', '=', event_id)
      .where('event_secrets.id', '=', newest);
    const [found = []] = await batch([query]);
    const rows = found as Awaited<ReturnType<typeof query.execute>>;
    if (!rows[0]) return undefined;
    const { public_key, secret_id, secret, device_key, gallery_key, upload_verifier, fotobox_verifier, ...rest } = rows[0];
    const event = Object.fromEntries(EVENT_COLUMNS.map((name) => [name, rest[name]])) as Pick<EventRow, (typeof EVENT_COLUMNS)[number]>;
    const ofEvent = ['public_key', 'secret_id', 'secret', 'device_key', 'gallery_key', 'upload_verifier', 'fotobox_verifier'];
    const others = new Set<string>([...EVENT_COLUMNS, ...ofEvent]);
    const photos = rows
      .filter((row) => row.id !== null)
      .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !others.has(name))) as unknown as PhotoRow);
    return {
      ...event,
      public_key,
      secret_id,
      secret,
      upload_verifier,
      fotobox_verifier,
      gallery_key: hasGalleryKeys(event) ? gallery_key : null,
      known: device_key !== null,
      own: photos.find((photo) => photo.id === id),
      twin: photos.find((photo) => photo.id !== id),
    };
  };
}
