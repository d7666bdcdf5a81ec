import { randomBytes } from 'node:crypto';
import type { Photo } from '@feierbild/contract/entities.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { Unavailable } from '../../lib/errors.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { drawShape, newKey, previewOf, sha256, tusClient } from './testing.ts';

const all = engines();
const decoder = useDecoder(all);

describe.each(all)('an original that follows its preview while something fails, on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  /** Whether the store stores originals without confirming it. */
  let down: boolean;
  /** Replaces the storing of a preview. */
  let put: (() => Promise<never>) | null;
  /** Called before a part is stored; ends a short failure. */
  let mend: () => Promise<unknown>;

  beforeEach(async () => {
    down = false;
    put = null;
    mend = async () => undefined;
    const wrapStore = (store: BlobStore): BlobStore => ({
      ...store,
      put: (key, bytes) => (put && key.endsWith('.preview') ? put() : store.put(key, bytes)),
      async adopt(key, path) {
        if (key.includes('/uploads/')) await mend();
        await store.adopt(key, path);
        if (down && key.endsWith('.original')) throw new Unavailable('store', null);
      },
    });
    app = await openApp({ db: await engine.open(), decoder, wrapStore });
    event = await app.event();
    device = newDevice();
  });
  afterEach(() => app.close());

  const tus = tusClient(() => ({ app, code: event.code, device }));

  /** Makes the database refuse originals until a part is stored. */
  async function refuseOriginals(): Promise<void> {
    const run = (text: string) => sql.raw(text).execute(app.db.kysely);
    if (engine.name === 'sqlite') {
      await run(`create trigger broken before update of state on photos begin select raise(abort, 'out of order'); end`);
      mend = () => run('drop trigger if exists broken');
      return;
    }
    await run(`create function broken() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$`);
    await run('create trigger broken before update of state on photos for each row execute function broken()');
    mend = () => run('drop trigger if exists broken on photos');
  }

  it.each([
    ['the store’s answer is lost', async () => void (down = true)],
    ['the database fails', refuseOriginals],
  ])('is kept as it came where %s behind its header, and becomes the photo', async (_what, breakIt) => {
    const photo = Buffer.concat([await drawShape(3), randomBytes(200_000)]);
    const key = newKey();
    const { id } = (await tus.announce(key, await previewOf(photo), photo.length)).json.photo;
    await breakIt();
    const sent = await tus.append(`/uploads/${key}`, 0, photo);
    if (down) {
      expect(sent.status).toBe(503);
      expect(await app.db.kysely.selectFrom('upload_parts').select('size').execute()).toEqual([{ size: photo.length }]);
      down = false;
    } else expect(sent.status).toBe(201);
    const last = await tus.append(`/uploads/${key}`, photo.length - 1, photo.subarray(-1));
    expect((JSON.parse(last.body) as { photo: Photo }).photo).toMatchObject({ id });
    expect(sha256(await tus.download(id))).toEqual(sha256(photo));
    await expect.poll(() => app.leftovers().then(({ staged }) => staged)).toEqual([]);
    await expect.poll(async () => (await app.integrity.check()).findings).toEqual([]);
  });

  it('goes on where its preview could not be stored, and its sender was told meanwhile that the upload is there', async () => {
    const photo = await drawShape(3);
    const key = newKey();
    const about = { 'upload-length': String(photo.length), 'upload-metadata': tus.metadata(), 'upload-key': key };
    put = async () => {
      // The phone has given its preview up, and sends the original.
      expect((await tus.ask('POST', '/uploads', about)).status).toBe(200);
      throw new Unavailable('store', null);
    };
    expect((await tus.announce(key, await previewOf(photo), photo.length)).status).toBe(503);
    put = null;
    expect(await tus.offsetOf(`/uploads/${key}`)).toBe(0);
    expect((await tus.append(`/uploads/${key}`, 0, photo)).status).toBe(201);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 1, announced_count: 0 });
  });
});
