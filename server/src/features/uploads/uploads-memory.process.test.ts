import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import type { Key } from '../../vault/vault.ts';
import { createPlainMemory } from './storing/plain-memory.ts';
import { tusClient } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const MEMORY = 4 * 1024 * 1024;

describe.each(engines().slice(0, 1))('the memory of uploads', (engine) => {
  const decoder = useDecoder([engine]);
  let app: TestApp;
  afterEach(() => app.close());

  it('is free again after each one, taken, repeated, refused or cut off', async () => {
    const memory = createPlainMemory(MEMORY);
    app = await openApp({ db: await engine.open(), decoder, memory });
    const { code } = await app.event();
    const whole = (): boolean => {
      const all = memory.reserve(MEMORY);
      all?.[Symbol.dispose]();
      return all !== null;
    };
    const [device, photo] = [newDevice(), await drawPhoto()];
    const statuses = [];
    for (const file of [photo, photo, randomBytes(300_000)]) statuses.push((await app.upload(code, file, { device })).status);
    expect(statuses).toEqual([201, 200, 415]);
    expect(whole()).toBe(true);
    const socket = connect(app.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /upload HTTP/1.1\r\nhost: h\r\ndevice-id: ${newDevice()}\r\nevent-code: ${code}\r\ncontent-length: 3000000\r\n` +
        'content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n',
    );
    socket.write(randomBytes(1_000_000));
    // The upload has its memory while it is on its way.
    await expect.poll(whole).toBe(false);
    socket.destroy();
    await expect.poll(whole).toBe(true);
  });

  it('holds no key once all is answered, by form and by tus', async () => {
    const vault = createQuickVault();
    const keys: Key[] = [];
    const noted =
      <A extends unknown[]>(make: (...from: A) => Key) =>
      (...from: A): Key => {
        const key = make(...from);
        keys.push(key);
        return key;
      };
    const { createPhotoKey, guestKey, openForDevice } = vault;
    const spied = { createPhotoKey: noted(createPhotoKey), guestKey: noted(guestKey), openForDevice: noted(openForDevice) };
    app = await openApp({ db: await engine.open(), decoder, vault: { ...vault, ...spied } });
    const { code } = await app.event();
    const [device, photo] = [newDevice(), await drawPhoto()];
    expect((await app.upload(code, photo, { device })).status).toBe(201);
    const tus = tusClient(() => ({ app, code, device }));
    const other = await drawPhoto();
    const path = (await tus.create(other.length)).headers.location as string;
    expect([await tus.append(path, 0, other), await tus.append(path, other.length, Buffer.alloc(0))].map(({ status }) => status)).toEqual([
      201, 200,
    ]);
    expect(keys.length).toBeGreaterThanOrEqual(8);
    expect(keys.filter((key) => key.some((byte) => byte !== 0))).toEqual([]);
  });

  it('is not needed: a photo that finds none is decoded from its sealed file', async () => {
    app = await openApp({ db: await engine.open(), decoder, memory: createPlainMemory(0) });
    const { code } = await app.event();
    const answer = await app.upload(code, await drawPhoto({ width: 1200, height: 900 }));
    expect([answer.status, answer.photo.width]).toEqual([201, 1200]);
  });
});
