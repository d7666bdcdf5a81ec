import { timingSafeEqual } from 'node:crypto';
import type { GalleryVisitor, HostVisitor, Visitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Refusal } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { deviceHash } from '../devices/devices.ts';
import { sightOf, type Viewer } from './access.ts';
import type { DescribedPhoto, FoundPhoto, PhotoWithKeys } from './photos.store.ts';

interface Deps extends Pick<Context, 'vault' | 'sealedMetadata' | 'clock'> {
  /** Makes the refusal for a visitor before the gallery's reveal. */
  closed(row: PhotoWithKeys): Refusal;
}

/** Opens photos with each viewer's key, and tells whether the viewer sees them now (`access.ts`). */
export function createViewers({ vault, sealedMetadata, clock, closed }: Deps) {
  /** Opens with the event's key, if the session belongs to the photo's event. */
  function byEvent(session: HostVisitor | null, row: PhotoWithKeys): DescribedPhoto | null {
    if (session?.eventId !== row.event_id) return null;
    const photo = { eventId: row.event_id, photoId: row.id };
    return {
      row,
      openKey: () => vault.openPhotoKey(session.openEventKey(), row.sealed_for_event, photo),
      describe: (other = row) => sealedMetadata.byEventKey(session.openEventKey)(other),
    };
  }

  /** Opens with the device's key, if the device uploaded the photo. */
  function byDevice(deviceId: string | null, row: PhotoWithKeys): DescribedPhoto | null {
    if (deviceId === null || !timingSafeEqual(deviceHash(vault, deviceId, row.event_id), row.device_hash)) return null;
    const photo = { eventId: row.event_id, photoId: row.id };
    return {
      row,
      openKey: () => vault.openForDevice(row.wrapped_for_device, deviceId, photo),
      describe: (other = row) => sealedMetadata.byDevice(deviceId, row.event_id)(other),
    };
  }

  /** Opens with the gallery's key. */
  function byGallery(gallery: GalleryVisitor | null, row: PhotoWithKeys): FoundPhoto | null {
    if (gallery?.eventId !== row.event_id) return null;
    const photo = { eventId: row.event_id, photoId: row.id };
    return { row, openKey: () => vault.openForGallery(gallery.openGalleryKey(), row.sealed_for_gallery as Bytes, photo) };
  }

  /** Opens a photo with the key of each viewer; null if the visitor is not that viewer. */
  const keys = {
    host: ({ host }: Visitor, row: PhotoWithKeys) => byEvent(host, row),
    device: ({ deviceId }: Visitor, row: PhotoWithKeys) => byDevice(deviceId, row),
    projector: ({ projector }: Visitor, row: PhotoWithKeys) => byEvent(projector, row),
    helper: ({ helper }: Visitor, row: PhotoWithKeys) => byEvent(helper, row),
    guest: ({ gallery }: Pick<Visitor, 'gallery'>, row: PhotoWithKeys) => byGallery(gallery, row),
  };

  /** Finds the photo for a visitor in the role `viewer`, and whether that role sees it now; null if the visitor has not that role. */
  function look<V extends Viewer>(viewer: V, visitor: Parameters<(typeof keys)[V]>[0], row: PhotoWithKeys) {
    const found = keys[viewer](visitor as Visitor, row) as ReturnType<(typeof keys)[V]>;
    return found && { found, sight: sightOf(viewer, row, clock.now()) };
  }

  /**
   * Finds the photo for a visitor in the role `viewer`; null if that role does not see it now. Throws Refusal gallery_closed before the
   * reveal.
   */
  function seenAs<V extends Viewer>(viewer: V, visitor: Parameters<(typeof keys)[V]>[0], row: PhotoWithKeys) {
    const looked = look(viewer, visitor, row);
    if (looked?.sight === 'closed') throw closed(row);
    return looked?.sight === 'seen' ? looked.found : null;
  }

  /**
   * Finds the photo in the first of the visitor's roles that sees it now; `own` is set for its host and its device. Throws Refusal
   * gallery_closed if one of the roles will see it after the reveal and none sees it now.
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

  /** Finds a photo for its host or its device: both may change it before the gallery's reveal. */
  const own = (visitor: Visitor, row: PhotoWithKeys): DescribedPhoto | null => seenAs('host', visitor, row) ?? keys.device(visitor, row);

  /** Finds a photo as a wall shows it, in a locked slideshow or on the host's page. */
  const onWall = (visitor: Visitor, row: PhotoWithKeys): FoundPhoto | null =>
    seenAs('projector', visitor, row) ?? seenAs('projector', { ...visitor, projector: visitor.host }, row);

  return { device: keys.device, seenAs, shown, own, onWall };
}
