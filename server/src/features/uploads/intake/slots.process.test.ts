import { expect, describe, it } from 'vitest';
import type { BlobStore } from '../../../storage/blob-store.ts';
import { drawPhoto, newDevice, type TestApp } from '../../testing.ts';
import { tusClient } from '../testing.ts';
import { AT_ONCE, FILE, slotsOf } from './testing/slots.ts';

let app: TestApp;
const { sockets, reopen, begin, beginMany, staged } = slotsOf((opened) => (app = opened));

const stay = () => expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
const field = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`;

describe('slots for uploads', () => {
  it('are left for other events, however many slow senders one has', async () => {
    const [slow, other] = [await app.event(), await app.event()];
    beginMany(60, { code: slow.code });
    await expect.poll(app.uploads.waiting).toBe(60 - 32);
    expect((await app.upload(other.code, await drawPhoto())).status).toBe(201);
    beginMany(30, { code: other.code });
    await expect.poll(app.uploads.waiting).toBe(28 + 30 - 11);
    expect((await app.upload((await app.event()).code, await drawPhoto())).status).toBe(201);
    stay();
  });

  it('are few for the demo, whose code everybody knows', async () => {
    const demo = await app.event({ demo: 1 });
    beginMany(40, { code: demo.code });
    await expect.poll(app.uploads.waiting).toBe(40 - 16);
    await expect.poll(staged).toBe(16);
    expect((await app.upload((await app.event()).code, await drawPhoto())).status).toBe(201);
    stay();
  });

  it.each(['header', 'form'])('come back when those who have one and those who wait hang up (code in the %s)', async (where) => {
    const { code } = await app.event({ demo: 1 });
    const named = `--b\r\nContent-Disposition: form-data; name="eventCode"\r\n\r\n${code}\r\n`;
    beginMany(40, where === 'header' ? { code } : { body: named + FILE });
    await expect.poll(app.uploads.waiting).toBe(40 - 16);
    for (const socket of sockets) socket.destroy();
    await expect.poll(app.uploads.waiting).toBe(0);
    await expect.poll(staged).toBe(0);
    beginMany(16, { code });
    await expect.poll(staged).toBe(16);
  });

  it('are left for the other devices of an event', async () => {
    const { code } = await app.event();
    beginMany(60, { code, device: newDevice() });
    await expect.poll(app.uploads.waiting).toBe(60 - 16);
    expect((await app.upload(code, await drawPhoto())).status).toBe(201);
    stay();
  });

  it('are not taken by forms that do not say which event they are for', async () => {
    const { code } = await app.event();
    beginMany(60, { body: field('deviceName') });
    await expect.poll(app.uploads.waiting).toBe(60 - 22);
    expect((await app.upload(code, await drawPhoto())).status).toBe(201);
    stay();
    // Senders that hang up while they wait leave the queue.
    for (const socket of sockets.slice(30)) socket.destroy();
    await expect.poll(app.uploads.waiting).toBe(30 - 22);
  });

  it('are given to a form without the header once it says its event, so that it leaves those who do not', async () => {
    const { code } = await app.event();
    const named = `--b\r\nContent-Disposition: form-data; name="eventCode"\r\n\r\n${code}\r\n`;
    beginMany(30, { body: named + FILE });
    await expect.poll(staged).toBe(30);
    expect((await app.upload('', await drawPhoto(), { fields: { eventCode: code } })).status).toBe(201);
    stay();
  });

  it('are lost by slow senders as soon as other devices of the event wait, and by no others', async () => {
    await reopen({ stallMs: 30_000 });
    const { code } = await app.event();
    // A guest who has uploaded before may be slow.
    const device = newDevice();
    expect((await app.upload(code, await drawPhoto(), { device })).status).toBe(201);
    const known = begin({ code, device });
    await expect.poll(staged).toBe(1);
    const slow = beginMany(60, { code });
    const timer = setInterval(() => slow.forEach((socket) => socket.write('x'.repeat(120))), 100);
    try {
      await expect.poll(app.uploads.waiting).toBe(61 - 32);
      const from = performance.now();
      expect((await app.upload(code, await drawPhoto({ width: 1200, height: 900 }))).status).toBe(201);
      expect(performance.now() - from).toBeLessThan(22_000);
    } finally {
      clearInterval(timer);
    }
    expect(known.destroyed).toBe(false);
    expect(slow.filter(({ destroyed }) => destroyed).length).toBeLessThan(60);
  });

  it('that wait for a form to name its event end after a quarter of the time for silent senders', async () => {
    await reopen({ stallMs: 8000 });
    const from = performance.now();
    const socket = begin({ body: field('deviceName') });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(performance.now() - from).toBeLessThan(7900);
  });

  it('are lost by who sends one field after the other and never a file', async () => {
    await reopen({ stallMs: 400 });
    const socket = begin({ body: '' });
    let fields = 0;
    const timer = setInterval(() => {
      fields += 1;
      socket.write(field(`field${fields}`));
    }, 150);
    try {
      await new Promise((resolve) => socket.once('close', resolve));
    } finally {
      clearInterval(timer);
    }
    expect(fields).toBeLessThanOrEqual(8);
  });

  it('for receiving are also released while slow senders are awaited', async () => {
    await reopen({ atOnce: 2 * AT_ONCE });
    const { code } = await app.event();
    const slow = beginMany(60, { code });
    await expect.poll(staged).toBe(60);
    const timer = setInterval(() => slow.forEach((socket) => socket.write('x'.repeat(200))), 100);
    try {
      expect((await app.upload(code, await drawPhoto({ width: 1200, height: 900 }))).status).toBe(201);
    } finally {
      clearInterval(timer);
    }
    stay();
  });

  it('for receiving are not held by parts that wait for the photo store', async () => {
    const held = Promise.withResolvers<void>();
    let waiting = 0;
    const wrapStore = (store: BlobStore): BlobStore => ({
      ...store,
      async adopt(key, path) {
        if (key.includes('/uploads/') && ++waiting) await held.promise;
        await store.adopt(key, path);
      },
    });
    await reopen({ atOnce: 2 * AT_ONCE, wrapStore });
    const { code } = await app.event();
    const sending = Array.from({ length: 50 }, async () => {
      const device = newDevice();
      const tus = tusClient(() => ({ app, code, device }));
      const path = (await tus.create(9)).headers.location as string;
      return tus.append(path, 0, Buffer.alloc(8));
    });
    // The number exceeds the slots for receiving.
    await expect.poll(() => waiting).toBe(50);
    expect((await app.upload(code, await drawPhoto())).status).toBe(201);
    held.resolve();
    expect((await Promise.all(sending)).every(({ status }) => status === 204)).toBe(true);
  });
});
