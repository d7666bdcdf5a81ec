import { expect, it } from 'vitest';
import { NOBODY, type HostVisitor, type Visitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { deviceHash } from '../devices/devices.ts';
import type { SealedMetadata } from '../sealed-metadata/sealed-metadata.ts';
import { createViewers } from './viewers.ts';
import type { PhotoWithKeys } from './photos.store.ts';

const vault = createQuickVault();
const keys = vault.createKeyPair();
const [event, id] = ['event-1', 'photo-1'];
const photoKey = vault.createPhotoKey();
const photo = { eventId: event, photoId: id };
/** A photo that every kind of viewer may see. */
const row = {
  id,
  event_id: event,
  device_hash: deviceHash(vault, 'its-device', event),
  sealed_for_event: vault.sealPhotoKey(keys.publicKey, photoKey, photo),
  wrapped_for_device: vault.wrapForDevice(photoKey, 'its-device', photo),
  sealed_for_gallery: vault.sealForGallery(keys.publicKey, photoKey, photo),
  slideshow: 1,
  with_slideshow: 1,
  release_state: 2,
  sample: 0,
  demo: 0,
  gallery_mode: 'open',
  gallery_opens_at: null,
  gallery_revealed_at: null,
  gallery_own_meanwhile: 0,
  gallery_wall_meanwhile: 0,
} as unknown as PhotoWithKeys;
const closed = (): Refusal => new Refusal('gallery_closed');
const viewers = createViewers({ vault, sealedMetadata: {} as SealedMetadata, clock: { now: () => 0 }, closed });

const session = (eventId: string): HostVisitor => ({ sessionId: 's', eventId, eventCode: 'c', openEventKey: () => keys.privateKey });
const gallery = (eventId: string) => ({ sessionId: 's', eventId, eventCode: 'c', openGalleryKey: () => keys.privateKey });
const visitor = (by: Partial<Visitor>): Visitor => ({ ...NOBODY, deviceId: null, address: '192.0.2.1', ...by });

/** Each visitor who sees the photo, whether as its owner, and the same kind of visitor of another event or device. */
const SEERS: [string, boolean, Partial<Visitor>, Partial<Visitor>][] = [
  ['host', true, { host: session(event) }, { host: session('event-2') }],
  ['device', true, { deviceId: 'its-device' }, { deviceId: 'another-device' }],
  ['wall', false, { projector: session(event) }, { projector: session('event-2') }],
  ['helper', false, { helper: session(event) }, { helper: session('event-2') }],
  ['guest in the gallery', false, { gallery: gallery(event) }, { gallery: gallery('event-2') }],
];

it.each(SEERS)('a photo is seen by its %s, who has its key, and by no other one', (_who, _owns, by, other) => {
  const found = viewers.shown(visitor(by), row);
  expect(Buffer.from(found!.openKey())).toEqual(Buffer.from(photoKey));
  expect(viewers.shown(visitor(other), row)).toBeNull();
});

it.each(SEERS)('what is in the file of a photo, its place too, is given to a %s: %s', (_who, owns, by) => {
  expect(viewers.shown(visitor(by), row)!.own !== null).toBe(owns);
});

it('a photo is changed by its host and its device, and by nobody else who sees it', () => {
  for (const [, owns, by, other] of SEERS) {
    expect(viewers.own(visitor(by), row) !== null).toBe(owns);
    expect(viewers.own(visitor(other), row)).toBeNull();
  }
});

it('a photo before the reveal is refused as one that comes later, to whom it will be shown', () => {
  const waiting = { ...row, gallery_mode: 'reveal', gallery_opens_at: 1 } as PhotoWithKeys;
  for (const by of [{ deviceId: 'its-device' }, { gallery: gallery(event) }]) {
    expect(() => viewers.shown(visitor(by), waiting)).toThrow(expect.objectContaining({ code: 'gallery_closed' }));
  }
  expect(viewers.shown(visitor({ projector: session(event) }), waiting)).toBeNull();
  expect(viewers.shown(visitor({ deviceId: 'its-device', host: session(event) }), waiting)).not.toBeNull();
});
