import { HOUR } from '@feierbild/contract/constants.ts';
import { request } from 'node:http';
import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { single } from '../../lib/stages.ts';
import { photoBlob } from '../../storage/blob-store.ts';
import { createJanitor } from '../integrity/janitor.ts';
import { newDevice } from '../testing.ts';
import { holdableDecoder } from '../testing/holdable-decoder.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { drawShape, newKey, previewOf } from './testing.ts';
import { firstLightOf } from './testing/first-light.ts';

const all = enginesForRules();
const { decoder, hold: holdBackground, waiting } = holdableDecoder(useDecoder(all));

describe.each(all)('a photo whose preview comes first, on $name', (engine) => {
  const { at, goOn, append, announce, asHost, gallery, look, row, settled } = firstLightOf(engine, decoder);
  const madeZip = async (previews: boolean): Promise<Buffer> => {
    await asHost(`/api/events/${at.event.code}/create-zip`, 'POST', { previews });
    await expect.poll(async () => (await asHost<{ status: string }>(`/api/events/${at.event.code}/zip-progress`)).status).toBe('complete');
    const response = await fetch(`${at.app.url}/api/events/${at.event.code}/download`, { headers: { cookie: at.event.cookie } });
    return Buffer.from(await response.arrayBuffer());
  };

  it('makes place for the server’s own pictures where it shows another one, or one of other sides', async () => {
    const wide = await sharp(at.photo).resize(1600, 900, { fit: 'fill' }).jpeg().toBuffer();
    for (const forged of [await previewOf(await drawShape(5)), wide]) {
      at.key = newKey();
      at.photo = await drawShape(forged === wide ? 7 : 11);
      const { id } = (await announce(forged)).json.photo;
      await append(`/uploads/${at.key}`, 0, at.photo);
      await settled(id).toBe('stored');
      expect(await row(id)).toMatchObject({ drawn_by: 'replaced' });
      const mine = (await gallery()).photos.find((one) => one.id === id) as Photo;
      expect(mine).toMatchObject({ replaced: true, thumbnail_url: `/api/photos/${id}/thumbnail?replaced` });
      const response = await fetch(`${at.app.url}${mine.preview_url}`, { headers: { cookie: at.event.cookie } });
      const shown = Buffer.from(await response.arrayBuffer());
      const { difference } = await decoder.probe(() => single(shown), shown.length, { owner: at.event.id, likeness: at.photo });
      expect(difference).toBeLessThan(3);
    }
    const trail = await Array.fromAsync(at.app.audit.list({ eventCode: at.event.code }));
    expect(trail.map(({ actor, action }) => [actor, action])).toEqual([
      ['system', 'preview.replaced'],
      ['system', 'preview.replaced'],
    ]);
    expect((await at.app.integrity.check()).findings).toEqual([]);
  });

  it.each([
    ['HTML', () => Buffer.from('<html><script>alert(1)</script></html>'.repeat(2000))],
    ['a JPEG of noise behind its header', async () => Buffer.concat([(await drawShape(2)).subarray(0, 700), Buffer.alloc(90_000, 7)])],
  ])('keeps its preview where its original is %s, which leaves by no ZIP and no link, and the ZIP has its preview', async (_what, make) => {
    const file = await make();
    const { id } = (await announce(await previewOf(at.photo), file.length)).json.photo;
    expect(await append(`/uploads/${at.key}`, 0, file)).toMatchObject({ status: 201 });
    await settled(id).toBe('unreadable');
    expect((await gallery()).photos).toMatchObject([{ id, state: 'unreadable' }]);
    expect(await at.app.row(at.event.id)).toMatchObject({ used_bytes: file.length, photo_count: 1, announced_count: 0 });
    expect(await asHost(`/api/photos/${id}/link`, 'POST')).toMatchObject({ code: 'original_missing' });
    expect((await asHost<{ unreadable: number }>(`/api/events/${at.event.code}/zip-progress`)).unreadable).toBe(1);
    const zip = await madeZip(false);
    expect(zip.toString('latin1')).toContain('/nur-vorschau/');
    expect(zip.includes(file.subarray(-80_000, -40_000))).toBe(false);
    expect((await at.app.integrity.check()).findings).toEqual([]);
  });

  it('is in the ZIP only with its original, which is verified for it; where asked for as a preview in a folder of its own', async () => {
    const hold = holdBackground();
    const { id } = (await announce(await previewOf(at.photo))).json.photo;
    expect(await asHost(`/api/events/${at.event.code}/create-zip`, 'POST', {})).toMatchObject({ code: 'archive_empty' });
    const early = await madeZip(true);
    expect(early.toString('latin1')).toContain('/nur-vorschau/');
    expect(early.length).toBeLessThan(400_000);
    await append(`/uploads/${at.key}`, 0, at.photo);
    expect(await row(id)).toMatchObject({ state: 'received' });
    const late = await madeZip(false);
    expect(late.includes(at.photo)).toBe(true);
    expect(late.toString('latin1')).not.toContain('nur-vorschau');
    expect(await row(id)).toMatchObject({ state: 'stored' });
    hold();
  });

  it('has another address on a wall once its original is decoded, which the wall learns of with its next question', async () => {
    const hold = holdBackground();
    const { id } = (await announce(await previewOf(at.photo))).json.photo;
    await append(`/uploads/${at.key}`, 0, at.photo);
    type Shown = { seq: number; photos: Photo[] };
    const before = await asHost<Shown>(`/api/events/${at.event.code}/slideshow?after=0`);
    expect(before.photos).toMatchObject([{ id, state: 'received', preview_url: `/api/photos/${id}/preview` }]);
    hold();
    await settled(id).toBe('stored');
    const after = await asHost<Shown>(`/api/events/${at.event.code}/slideshow?seq=${before.seq}`);
    expect(after.photos).toMatchObject([{ id, state: 'stored', preview_url: `/api/photos/${id}/preview?drawn` }]);
  });

  it('stays in a ZIP that has it while that is downloaded, also where a wide screen has asked for a larger one', async () => {
    const { id } = (await announce(await previewOf(at.photo))).json.photo;
    await asHost(`/api/events/${at.event.code}/create-zip`, 'POST', { previews: true });
    await expect.poll(async () => (await asHost<{ status: string }>(`/api/events/${at.event.code}/zip-progress`)).status).toBe('complete');
    const zip = async () => {
      const response = await fetch(`${at.app.url}/api/events/${at.event.code}/download`, { headers: { cookie: at.event.cookie } });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const before = await zip();
    const drawn = (await row(id))!.preview_attempt;
    await append(`/uploads/${at.key}`, 0, at.photo);
    await settled(id).toBe('stored');
    await fetch(`${at.app.url}/api/photos/${id}/preview?wide`, { headers: { cookie: at.event.cookie } });
    expect((await row(id))!.preview_attempt).not.toBe(drawn);
    expect(await zip()).toEqual(before);
    const sweep = (now: number) => createJanitor({ db: at.app.db, blobs: at.app.blobs, clock: { now: () => now } });
    await sweep(Date.now()).sweep({ graceMs: 0 });
    expect(await zip()).toEqual(before);
    // Hours later the ZIP has to be made again, and the answer says so before its first byte.
    await expect.poll(() => sweep(Date.now() + 7 * HOUR).removeKnown()).toBe(1);
    expect(await zip()).toMatchObject({ status: 409 });
    expect(await asHost(`/api/events/${at.event.code}/zip-progress`)).toMatchObject({ status: 'idle' });
  });

  it('is verified while another guest sends slowly, and at once where somebody waits for it beside other work', async () => {
    const headers = { 'device-id': newDevice(), 'event-code': at.event.code, 'content-type': 'multipart/form-data; boundary=x' };
    const slow = request(`${at.app.url}/upload`, { method: 'POST', headers });
    slow.on('error', () => undefined);
    slow.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n');
    const send = async (): Promise<string> => {
      const { id } = (await announce(await previewOf(at.photo))).json.photo;
      await append(`/uploads/${at.key}`, 0, at.photo);
      return id;
    };
    await settled(await send()).toBe('stored');
    [at.photo, at.key] = [await drawShape(5), newKey()];
    const hold = holdBackground();
    const id = await send();
    // By now its verification waits behind the others' work.
    await expect.poll(waiting).toBe(1);
    expect(await row(id)).toMatchObject({ state: 'received' });
    await asHost(`/api/photos/${id}/link`, 'POST');
    expect(await row(id)).toMatchObject({ state: 'stored' });
    hold();
    slow.destroy();
  });

  it('is verified by its host’s look where the process that received it has ended', async () => {
    const hold = holdBackground();
    const { id } = (await announce(await previewOf(at.photo))).json.photo;
    await append(`/uploads/${at.key}`, 0, at.photo);
    await goOn();
    hold();
    await look(id);
    await settled(id).toBe('stored');
  });

  it('whose original is lost keeps nobody from the others', async () => {
    const hold = holdBackground();
    const ids: string[] = [];
    for (const seed of [3, 5]) {
      [at.photo, at.key] = [await drawShape(seed), newKey()];
      ids.push((await announce(await previewOf(at.photo))).json.photo.id);
      await append(`/uploads/${at.key}`, 0, at.photo);
    }
    await goOn();
    hold();
    const [lost, whole] = ids as [string, string];
    await at.app.blobs.remove(photoBlob(at.event.id, lost, 'original', (await row(lost))!.original_attempt));
    for (const id of ids) await look(id);
    await settled(whole).toBe('stored');
    expect(await row(lost)).toMatchObject({ state: 'received' });
    const select = (...photos: string[]) => asHost<{ code?: string }>(`/api/events/${at.event.code}/selections`, 'POST', { photos });
    expect((await select(whole)).code).toBeUndefined();
    expect((await select(lost)).code).toBeUndefined();
    const zip = (await madeZip(false)).toString();
    for (const name of ['/nur-vorschau/', '/Beschädigte Fotos.txt']) expect(zip).toContain(name);
  });
});
