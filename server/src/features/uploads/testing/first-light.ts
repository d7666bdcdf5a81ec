import type { Photo } from '@feierbild/contract/entities.ts';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Engine } from '../../../database/testing.ts';
import type { Decoder } from '../../../images/decoder.ts';
import { newDevice, openApp, type TestApp } from '../../testing.ts';
import { drawShape, newKey, tusClient } from '../testing.ts';

/** For tests: opens a server with an event before each test, and a device whose photo begins with its preview. */
export function firstLightOf(engine: Engine, decoder: Decoder) {
  const at = {} as {
    app: TestApp;
    event: Awaited<ReturnType<TestApp['event']>>;
    device: string;
    photo: Buffer;
    key: string;
  };
  const ended: TestApp[] = [];

  beforeEach(async () => {
    at.app = await openApp({ db: await engine.open(), decoder });
    at.event = await at.app.event();
    at.device = newDevice();
    at.photo = await drawShape(3);
    at.key = newKey();
  });
  afterEach(async () => {
    await at.app.close();
    for (const process of ended.splice(0)) await process.close();
  });
  /** Ends the process, whose memory is lost with its keys; another one goes on with the stored rest. */
  async function goOn(): Promise<void> {
    ended.push(at.app);
    await at.app.photos.previews.close();
    await at.app.db.kysely
      .updateTable('photos')
      .set({ created_at: Date.now() - 120_000 })
      .execute();
    const { blobs } = at.app;
    at.app = await openApp({ db: at.app.db, decoder, wrapStore: () => blobs });
  }

  const client = tusClient(() => ({ ...at, code: at.event.code }));
  const announce = (picture: Uint8Array, length = at.photo.length, headers?: Record<string, string>) =>
    client.announce(at.key, picture, length, headers);
  const asHost = async <T = { photos: Photo[]; total: number }>(path: string, method = 'GET', body?: object): Promise<T> => {
    const response = await at.app.call(method, path, { cookie: at.event.cookie }, body);
    return (response.status === 204 ? undefined : await response.json()) as T;
  };
  const gallery = () => asHost(`/api/events/${at.event.code}/photos?after=0`);
  const look = (id: string) => fetch(`${at.app.url}/api/photos/${id}/thumbnail`, { headers: { cookie: at.event.cookie } });
  const row = (id: string) => at.app.db.kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirst();
  const settled = (id: string) => expect.poll(async () => (await row(id))?.state);

  return { at, ended, goOn, ...client, upload: client.row, announce, asHost, gallery, look, row, settled };
}
