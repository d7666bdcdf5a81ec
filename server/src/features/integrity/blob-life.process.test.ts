import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutcomeUnknown } from '../../database/errors.ts';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { Unavailable } from '../../lib/errors.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const lost = new Error('the connection ended');

describe.each(engines())('what an outage leaves in the photo store, on $name', (engine) => {
  const decoder = useDecoder([engine]);
  let db: Db;
  let app: TestApp;
  /** If set, the database ends the connection of single statements with this text; `commit` ends transactions as they commit. */
  let ends: string | null = null;
  /** If set, the store takes blobs whose keys match, but its answers are lost. */
  let silent: RegExp | null = null;
  const device = newDevice();

  beforeEach(async () => {
    db = await engine.open();
    const transaction: Db['transaction'] = async (work) => {
      const result = await db.transaction(work);
      if (ends === 'commit') throw new OutcomeUnknown('database', lost);
      return result;
    };
    const batch: Db['batch'] = async (statements, changes) => {
      const broken = ends;
      if (broken !== null && statements.some((statement) => statement.compile().sql.includes(broken)))
        throw new OutcomeUnknown('database', lost);
      return db.batch(statements, changes);
    };
    const unanswered = async (key: string, work: Promise<void>): Promise<void> => {
      await work;
      if (silent?.test(key)) throw new Unavailable('store', lost);
    };
    const wrapStore = (store: BlobStore): BlobStore => ({
      ...store,
      put: (key, bytes) => unanswered(key, store.put(key, bytes)),
      adopt: (key, path) => unanswered(key, store.adopt(key, path)),
    });
    app = await openApp({ db: { ...db, transaction, batch }, decoder, wrapStore });
  });
  afterEach(async () => {
    ends = silent = null;
    await app.close();
  });

  const noted = async (): Promise<string[]> =>
    (await db.kysely.selectFrom('orphans').select('key').execute()).map(({ key }) => key).toSorted();
  const stored = async (): Promise<string[]> => (await app.leftovers()).blobs;
  /** Uploads a photo and waits until its row has the preview. */
  async function photoOf(code: string): Promise<string> {
    const { photo } = await app.upload(code, await drawPhoto(), { device });
    const preview = () => db.kysely.selectFrom('photos').select('preview_type').where('id', '=', photo.id).executeTakeFirstOrThrow();
    await expect.poll(preview).toEqual({ preview_type: expect.any(String) });
    return photo.id;
  }

  it('is written down where nobody knows whether a photo is deleted', async () => {
    const event = await app.event();
    const id = await photoOf(event.code);
    ends = 'commit';
    const answer = await fetch(`${app.url}/api/photos/${id}`, { method: 'DELETE', headers: { 'device-id': device } });
    expect(answer.status).toBe(503);
    await expect.poll(noted).toEqual(await stored());
  });

  it('is written down, and still there, where nobody knows whether a photo is one', async () => {
    const event = await app.event();
    ends = 'insert into "photos"';
    expect(await app.upload(event.code, await drawPhoto(), { device })).toMatchObject({ status: 503 });
    await expect.poll(noted).toEqual([expect.stringMatching(/\.original$/), expect.stringMatching(/\.thumbnail$/)]);
    expect(await stored()).toEqual(await noted());
  });

  it('is written down where a preview is stored, and not its row', async () => {
    const event = await app.event();
    ends = 'update "photos"';
    await app.upload(event.code, await drawPhoto(), { device });
    await expect.poll(noted).toEqual([expect.stringMatching(/-[0-9a-f]{16}\.preview$/)]);
    expect(await stored()).toEqual(expect.arrayContaining(await noted()));
  });

  it('is written down where nobody knows whether a part of an upload is one', async () => {
    const event = await app.event();
    const file = await drawPhoto();
    const tus = { 'tus-resumable': '1.0.0', 'device-id': device };
    const begun = await fetch(`${app.url}/uploads`, {
      method: 'POST',
      headers: {
        ...tus,
        'upload-length': String(file.length),
        'upload-metadata': `eventCode ${Buffer.from(event.code).toString('base64')}`,
      },
    });
    ends = 'commit';
    const answer = await fetch(app.url + begun.headers.get('location'), {
      method: 'PATCH',
      headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: Buffer.from(file),
    });
    expect(answer.status).toBe(503);
    await expect.poll(noted).toEqual(await stored());
    expect(await noted()).toHaveLength(1);
  });

  it('is written down where the store does not say whether it has a blob', async () => {
    const event = await app.event();
    silent = /\.(original|thumbnail)$/;
    expect(await app.upload(event.code, await drawPhoto(), { device })).toMatchObject({ status: 503, code: 'unavailable' });
    await expect.poll(noted).toHaveLength(2);
  });
});
