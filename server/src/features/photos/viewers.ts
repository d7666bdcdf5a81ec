import { timingSafeEqual } from 'node:crypto';
import type { GalleryVisitor, HostVisitor, Visitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Refusal } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { deviceHash } from '../devices/devices.ts';
import { sightOf, type Viewer } from './access.ts';
import type { DescribedPhoto, FoundPhoto, PhotoWithKeys } from './photos.store.ts';

interface Deps extends Pick<Context, 'vault' | 'sealedMetadata' | 'clock'> {
  /** The answer before the gallery's reveal. */
  closed(row: PhotoWithKeys): Refusal;
}

/** By whose key each viewer opens a photo, and whether the viewer sees it now (`access.ts`). */
export function createViewers({ vault, sealedMetadata, clock, closed }: Deps) {
  /** With the event's key, where the session is of the photo's event. */
  function byEvent(session: HostVisitor | null, row: PhotoWithKeys): DescribedPhoto | null {
    if (session?.eventId !== row.event_id) return null;
    const photo = { eventId: row.event_id, photoId: row.id };
    return {
      row,
      openKey: () => vault.openPhotoKey(session.openEventKey(), row.sealed_for_event, photo),
      describe: () => sealedMetadata.byEventKey(session.openEventKey)(row),
    };
  }

  /** With the device's key, where the device uploaded the photo. */
  function byDevice(deviceId: string | null, row: PhotoWithKeys): DescribedPhoto | null {
    if (deviceId === null || !timingSafeEqual(deviceHash(vault, deviceId, row.event_id), row.device_hash)) return null;
    const photo = { eventId: row.event_id, photoId: row.id };
    return {
      row,
      openKey: () => vault.openForDevice(row.wrapped_for_device, deviceId, photo),
      describe: () => sealedMetadata.byDevice(deviceId, row.event_id)(row),
    };
  }

  /** With the gallery's key, where the photo has one for guests. */
  function byGallery(gallery: GalleryVisitor | null, row: PhotoWithKeys): FoundPhoto | null {
    if (gallery?.eventId !== row.event_id) return null;
    const photo = { eventId: row.event_id, photoId: row.id };
    return { row, openKey: () => vault.openForGallery(gallery.openGalleryKey(), row.sealed_for_gallery as Bytes, photo) };
  }

  /** By whose key each viewer opens a photo; null: the visitor is none. */
  const keys = {
    host: ({ host }: Visitor, row: PhotoWithKeys) => byEvent(host, row),
    device: ({ deviceId }: Visitor, row: PhotoWithKeys) => byDevice(deviceId, row),
    projector: ({ projector }: Visitor, row: PhotoWithKeys) => byEvent(projector, row),
    helper: ({ helper }: Visitor, row: PhotoWithKeys) => byEvent(helper, row),
    guest: ({ gallery }: Pick<Visitor, 'gallery'>, row: PhotoWithKeys) => byGallery(gallery, row),
  };

  /** The photo for a visitor who is this viewer, and whether the viewer sees it now; null: the visitor is not. */
  function look<V extends Viewer>(viewer: V, visitor: Parameters<(typeof keys)[V]>[0], row: PhotoWithKeys) {
    const found = keys[viewer](visitor as Visitor, row) as ReturnType<(typeof keys)[V]>;
    return found && { found, sight: sightOf(viewer, row, clock.now()) };
  }

  /** The photo for a visitor who is this viewer, and sees it now. Throws Refusal gallery_closed before the reveal. */
  function seenAs<V extends Viewer>(viewer: V, visitor: Parameters<(typeof keys)[V]>[0], row: PhotoWithKeys) {
    const looked = look(viewer, visitor, row);
    if (looked?.sight === 'closed') throw closed(row);
    return looked?.sight === 'seen' ? looked.found : null;
  }

  /**
   * The photo for the first of all viewers that the visitor is and that sees it now; `own` to its host and its device alone. Throws Refusal
   * gallery_closed where one of them sees it after the reveal, and no other one does now.
   */
  function shown(visitor: Visitor, row: PhotoWithKeys): (FoundPhoto & { own: DescribedPhoto | null }) | null {
    const [host, device] = [look('host', visitor, row), look('device', visitor, row)];
    const own = [host, device].find((looked) => looked?.sight === 'seen');
    const others = [look('projector', visitor, row), look('helper', visitor, row), look('guest', visitor, row)];
    const seen = own ?? others.find((looked) => looked?.sight === 'seen');
    if (seen) return { ...seen.found, own: own?.found ?? null };
    if ([device, ...others].some((looked) => looked?.sight === 'closed')) throw closed(row);
    return null;
  }

  /** The host's view, or the device's own: both may change a photo before the gallery's reveal. */
  const own = (visitor: Visitor, row: PhotoWithKeys): DescribedPhoto | null => seenAs('host', visitor, row) ?? keys.device(visitor, row);

  /** As a wall sees it, for a locked slideshow and for the host's. */
  const onWall = (visitor: Visitor, row: PhotoWithKeys): FoundPhoto | null =>
    seenAs('projector', visitor, row) ?? seenAs('projector', { ...visitor, projector: visitor.host }, row);

  return { device: keys.device, seenAs, shown, own, onWall };
}
