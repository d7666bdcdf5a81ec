import { describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import type { Headers, TestApp } from '../testing.ts';
import { beforeEachGallery, galleryClient, OPEN } from '../gallery/testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { heldAnswer } from '../uploads/testing.ts';
import { createRenewal } from './renewal.ts';

const all = engines().filter(({ name }) => name === 'postgres');
const decoder = useDecoder(all);

describe.each(all)('a renewal of keys on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  beforeEachGallery(engine, decoder, (opened) => ({ app, event, host } = opened));

  const { call, json, set, send, enter, statuses } = galleryClient(() => ({ app, event }));

  it('leaves guests the keys of a new link, which were sealed while it covered those of the former one', async () => {
    const [photo, gone] = [await send(), await send()];
    await set(OPEN);
    expect((await call('DELETE', `/api/photos/${gone.id}`, host)).status).toBe(204);
    const held = heldAnswer((row) => row['gallery_secret'] !== undefined);
    const slow: typeof app.db = {
      ...app.db,
      transaction: (work) => app.db.transaction((trx) => work(trx.withPlugin(held.plugin))),
    };
    const running = createRenewal({ db: slow, vault: app.vault }).run({ night: true });
    await held.taken;
    const settings = await json<{ url: string }>('POST', `/api/events/${event.code}/gallery/link`, host);
    held.answer();
    await running;
    expect(await statuses(photo, await enter(settings))).toEqual([200, 200, 403]);
    expect((await app.integrity.openAll(event.id, event.privateKey)).findings).toEqual([]);
  });
});
