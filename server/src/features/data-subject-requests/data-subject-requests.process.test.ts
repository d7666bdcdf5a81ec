import type { Disclosure, Erasure } from '@feierbild/contract/calls/data-subject-requests.ts';
import { DAY } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { ADMIN, logInAdmin } from '../accounts/testing.ts';
import { deviceHash } from '../devices/devices.ts';
import { galleryClient, OPEN } from '../gallery/testing.ts';
import { drawPhoto, newDevice, openApp, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { heldAnswer } from '../uploads/testing.ts';

const ENGINES = enginesForRules();
const decoder = useDecoder(ENGINES);
/** A hook that tests set: runs while an upload is decoded, after it has read the device's rows. */
let decoding: () => Promise<void>;

describe.each(ENGINES)('what is kept of a person, on $name', (engine) => {
  let app: TestApp;
  let admin: Headers;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let ids: string[];
  const mine = newDevice();
  const other = newDevice();

  beforeEach(async () => {
    decoding = async () => undefined;
    const decode: typeof decoder.decode = async (...args) => {
      await decoding();
      return decoder.decode(...args);
    };
    app = await openApp({ db: await engine.open(), decoder: { ...decoder, decode } });
    admin = await logInAdmin(app);
    event = await app.event();
    ids = [];
    for (const device of [mine, mine, other]) {
      const { status, photo } = await app.upload(event.code, await drawPhoto(), { device });
      expect(status).toBe(201);
      ids.push(photo.id);
    }
  });
  afterEach(() => app.close());

  async function ask(path: string, question: string, as = admin, at = app) {
    const answer = await at.call('POST', path, as, { ask: question });
    return { status: answer.status, body: (await answer.json()) as Disclosure & Partial<Erasure> & { code?: string } };
  }
  async function linkOf(device: string, code = event.code): Promise<{ status: number; link: string }> {
    const answer = await fetch(`${app.url}/api/events/${code}/disclosure-link`, { headers: { 'device-id': device } });
    return { status: answer.status, link: ((await answer.json()) as { link: string }).link };
  }
  const left = async () => (await app.db.kysely.selectFrom('photos').select('id').orderBy('position').execute()).map(({ id }) => id);

  it('is found by the link of its device, all of that in this event and nothing else', async () => {
    const { link } = await linkOf(mine);
    expect(link).toMatch(new RegExp(`^/admin/auskunft#${event.code}\\.[\\w-]{43}$`));
    // The link contains no device id and gives no access to a photo.
    expect(link).not.toContain(mine);
    const { status, body } = await ask('/admin/disclosure', `https://fotos.example${link}`);
    expect([status, body.event.code, body.photos.map(({ id }) => id)]).toEqual([200, event.code, ids.slice(0, 2).toSorted()]);
    expect(body.device).toMatchObject({ open_uploads: 0, hearts: 0 });
    expect(JSON.stringify(body)).not.toMatch(/IMG_0042|thumbnail_url|preview/);
    // Nothing was deleted, so each new backup holds it.
    expect(body).not.toHaveProperty('backups_gone_by');
    const [newest] = await app.audit.newest(event.code, undefined, 1);
    expect(newest).toMatchObject({ action: 'person.disclosed', actor: `admin:${ADMIN.username}` });
  });

  it('is deleted by that link with all that the device has there; others keep theirs', async () => {
    const { link } = await linkOf(mine);
    const begun = Date.now();
    const { body } = await ask('/admin/disclosure/erase', link);
    expect(body.photos).toHaveLength(2);
    expect(Date.parse(body.backups_gone_by ?? '')).toBeGreaterThanOrEqual(begun + 14 * DAY);
    expect(await left()).toEqual([ids[2]]);
    const row = await app.row(event.id);
    expect([row.photo_count, row.device_count]).toEqual([1, 1]);
    expect((await app.db.kysely.selectFrom('guest_keys').selectAll().execute()).length).toBe(1);
    expect(await ask('/admin/disclosure', link)).toMatchObject({ status: 404, body: { code: 'disclosure_not_found' } });
    expect((await app.integrity.check()).findings).toEqual([]);
    const actions = (await app.audit.newest(event.code, undefined, 10)).map(({ action }) => action);
    expect(actions.slice(0, 3)).toEqual(['person.erased', 'photo.deleted', 'photo.deleted']);
  });

  it('is found, and deleted, also of a device that has sent no photo yet: its hearts, and what it is sending', async () => {
    const guest = newDevice();
    const row = { event_id: event.id, device_hash: deviceHash(app.vault, guest, event.id) };
    await app.db.kysely
      .insertInto('hearts')
      .values({ ...row, photo_id: ids[0] as string })
      .execute();
    const metadata = Object.entries({ filename: 'a.jpg', eventCode: event.code }).map(([name, text]) => `${name} ${btoa(text)}`);
    for (const device of [guest, mine]) {
      const begun = await fetch(`${app.url}/uploads`, {
        method: 'POST',
        headers: { 'tus-resumable': '1.0.0', 'upload-length': '100000', 'upload-metadata': metadata.join(','), 'device-id': device },
      });
      expect(begun.status).toBe(201);
    }
    const { link } = await linkOf(guest);
    const device = { first_seen_at: null, hearts: 1, in_gallery: false, open_uploads: 1 };
    expect((await ask('/admin/disclosure', link)).body).toMatchObject({ device, photos: [] });
    expect((await ask('/admin/disclosure/erase', link)).body.device).toEqual(device);
    expect((await ask('/admin/disclosure', link)).status).toBe(404);
    expect(await app.db.kysely.selectFrom('hearts').selectAll().execute()).toEqual([]);
    expect(await left()).toEqual(ids);
    expect((await ask('/admin/disclosure', (await linkOf(mine)).link)).body.device?.open_uploads).toBe(1);
  });

  it('is deleted while its device sends: what comes after it has its names', async () => {
    const [reached, erased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    decoding = () => {
      reached.resolve();
      return erased.promise;
    };
    const sending = app.upload(event.code, await drawPhoto(), { device: mine, headers: { 'device-name': 'Anna' } });
    await reached.promise;
    expect((await ask('/admin/disclosure/erase', (await linkOf(mine)).link)).body.photos).toHaveLength(2);
    erased.resolve();
    const { status, photo } = await sending;
    expect([status, await left()]).toEqual([201, [ids[2], photo.id]]);
    const list = await fetch(`${app.url}/api/events/${event.code}/photos?after=0`, { headers: { cookie: event.cookie } });
    const { photos } = (await list.json()) as { photos: Photo[] };
    expect(photos.at(-1)).toMatchObject({ id: photo.id, device: { name: 'Anna' }, filename: 'IMG_0042.jpg' });
    expect((await app.row(event.id)).device_count).toBe(2);
    expect((await app.integrity.check()).findings).toEqual([]);
    expect((await app.integrity.openAll(event.id, event.privateKey)).findings).toEqual([]);
  });

  it('is deleted with what its device has sent since it was looked for: the answer says no more than is gone', async () => {
    const held = heldAnswer((row) => 'position' in row && 'device_hash' in row);
    const node = await openApp({ db: { ...app.db, kysely: app.db.kysely.withPlugin(held.plugin) }, decoder });
    try {
      const { link } = await linkOf(mine);
      const erasing = ask('/admin/disclosure/erase', link, admin, node);
      await held.taken;
      const { photo } = await app.upload(event.code, await drawPhoto(), { device: mine });
      held.answer();
      const { status, body } = await erasing;
      expect([status, body.photos.map(({ id }) => id).toSorted()]).toEqual([200, [...ids.slice(0, 2), photo.id].toSorted()]);
      expect(await left()).toEqual([ids[2]]);
      expect((await ask('/admin/disclosure', link)).status).toBe(404);
      expect((await app.row(event.id)).device_count).toBe(1);
    } finally {
      await node.close();
    }
  });

  it.each(['erased', 'withdrawn'])('no photo comes of an upload that is %s while its last byte is worked on', async (how) => {
    const [reached, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    decoding = () => {
      reached.resolve();
      return ended.promise;
    };
    const [guest, photo, key] = [newDevice(), await drawPhoto(), newDevice()];
    const metadata = Object.entries({ filename: 'a.jpg', eventCode: event.code }).map(([name, text]) => `${name} ${btoa(text)}`);
    const tus = { 'tus-resumable': '1.0.0', 'device-id': guest };
    const sending = fetch(`${app.url}/uploads`, {
      method: 'POST',
      headers: {
        ...tus,
        'upload-key': key,
        'upload-length': String(photo.length),
        'upload-metadata': metadata.join(','),
        'content-type': 'application/offset+octet-stream',
      },
      body: Buffer.from(photo),
    });
    await reached.promise;
    if (how === 'erased') expect((await ask('/admin/disclosure/erase', (await linkOf(guest)).link)).body.device?.open_uploads).toBe(1);
    else expect((await fetch(`${app.url}/uploads/${key}`, { method: 'DELETE', headers: tus })).status).toBe(204);
    ended.resolve();
    expect([(await sending).status, await left()]).toEqual([409, ids]);
    expect((await fetch(`${app.url}/uploads/${key}`, { method: 'HEAD', headers: tus })).status).toBe(404);
    expect((await app.row(event.id)).device_count).toBe(2);
    expect((await app.integrity.check()).findings).toEqual([]);
  });

  it.each([
    ['names', (row: object) => 'sealed_for_event' in row && 'position' in row],
    ['access', (row: object) => String(Object.keys(row)) === 'device_hash,public_key'],
  ])('is deleted while the gallery is opened to its guests: it gives no %s to who is gone', async (_what, isSuch) => {
    const held = heldAnswer(isSuch);
    const node = await openApp({ db: { ...app.db, kysely: app.db.kysely.withPlugin(held.plugin) }, decoder });
    const guests = () => app.db.kysely.selectFrom('gallery_guests').select(['device_hash', 'name', 'access']).execute();
    const isOf = (device: string) => (row: { device_hash: Uint8Array }) =>
      Buffer.from(row.device_hash).equals(deviceHash(app.vault, device, event.id));
    try {
      const opening = galleryClient(() => ({ app: node, event })).set(OPEN);
      await held.taken;
      await ask('/admin/disclosure/erase', (await linkOf(mine)).link);
      held.answer();
      await opening;
      await expect
        .poll(async () => (await guests()).find(isOf(other)))
        .toMatchObject({ name: expect.anything(), access: expect.anything() });
      expect((await guests()).filter(isOf(mine))).toEqual([]);
    } finally {
      held.answer();
      await node.close();
    }
  });

  it('is one photo by its id, for somebody who is in it: of who sent it nothing is said, and nothing else goes', async () => {
    const { body } = await ask('/admin/disclosure', ids[0]!.toUpperCase());
    expect([body.device, body.photos.map(({ id }) => id)]).toEqual([null, [ids[0]]]);
    await ask('/admin/disclosure/erase', ids[0]!);
    expect(await left()).toEqual(ids.slice(1));
    expect((await app.row(event.id)).device_count).toBe(2);
  });

  it('is nobody’s business but an administrator’s, and nothing where nothing is', async () => {
    const { link } = await linkOf(mine);
    expect((await ask('/admin/disclosure', link, {})).status).toBe(401);
    expect((await ask('/admin/disclosure/erase', link, { cookie: event.cookie })).status).toBe(401);
    const strange = newDevice();
    expect((await linkOf(strange)).status).toBe(200);
    for (const nothing of [
      '',
      'x',
      strange,
      `#${event.code}.${'A'.repeat(43)}`,
      '01900000-0000-7000-8000-000000000000',
      `#AAAAAAAA.${'A'.repeat(43)}`,
    ]) {
      const { status } = await ask('/admin/disclosure', nothing);
      expect([nothing, status]).toEqual([nothing, nothing === '' ? 400 : 404]);
    }
    expect((await linkOf(mine, 'AAAAAAAA')).status).toBe(404);
    expect(await left()).toEqual(ids);
  });
});
