import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Photo } from '@feierbild/contract/entities.ts';
import type { KyselyPlugin } from 'kysely';
import sharp from 'sharp';
import { expect } from 'vitest';
import { drawPhoto, type TestApp } from '../testing.ts';

export const BYTES = { 'content-type': 'application/offset+octet-stream' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');
export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
export const newKey = (): string => randomBytes(16).toString('base64url');

/** Draws a photo of so many bytes: decoders ignore bytes behind a JPEG's end. */
export async function photoOf(bytes: number): Promise<Buffer> {
  const photo = await drawPhoto();
  return Buffer.concat([photo, randomBytes(bytes - photo.length)]);
}

const drawn = new Map<string, Promise<Buffer>>();
/** Draws a picture with shapes that can be compared, the same for all who ask; another `seed` makes another picture. */
export function drawShape(seed: number, width = 2400, height = 1800): Promise<Buffer> {
  return drawn.getOrInsertComputed(`${seed} ${width} ${height}`, () => {
    const field = Buffer.from(Array.from({ length: 8 * 6 }, (_, n) => (n * 37 * seed + seed * 91) % 256));
    return sharp(field, { raw: { width: 8, height: 6, channels: 1 } })
      .resize(width, height, { fit: 'fill' })
      .jpeg({ quality: 90 })
      .toBuffer();
  });
}
/** Draws the preview of a photo as phones do, the same for all who ask. */
export const previewOf = (photo: Buffer, edge = 1600): Promise<Buffer> =>
  drawn.getOrInsertComputed(`${sha256(photo).toString('hex')} ${edge}`, () =>
    sharp(photo).rotate().resize(edge, edge, { fit: 'inside' }).jpeg({ quality: 72 }).toBuffer(),
  );

/** Holds back the database's first answer that has such a row. */
export function heldAnswer(isSuch: (row: Record<string, unknown>) => boolean): {
  plugin: KyselyPlugin;
  taken: Promise<void>;
  answer(): void;
} {
  const [taken, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let held = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!held && result.rows.some(isSuch)) {
        held = true;
        taken.resolve();
        await answered.promise;
      }
      return result;
    },
  };
  return { plugin, taken: taken.promise, answer: answered.resolve };
}

interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

/** Makes a client that sends tus requests to a server under test, as one device, for one event. */
export function tusClient(current: () => { app: TestApp; code: string; device: string }) {
  async function ask(method: string, path: string, headers: Record<string, string> = {}, body?: Uint8Array): Promise<Answer> {
    const response = await fetch(`${current().app.url}${path}`, {
      method,
      headers: { 'tus-resumable': '1.0.0', 'device-id': current().device, ...headers },
      ...(body && { body: Buffer.from(body) }),
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  }
  const metadata = (code = current().code): string =>
    `filename ${base64('Größe.jpg')},eventCode ${base64(code)},deviceName ${base64('Jörg')}`;
  const create = (length: number, headers: Record<string, string> = {}, body?: Uint8Array) =>
    ask('POST', '/uploads', { 'upload-length': String(length), 'upload-metadata': metadata(), ...headers }, body);
  const append = (path: string, offset: number, body: Uint8Array, headers = {}) =>
    ask('PATCH', path, { 'upload-offset': String(offset), ...BYTES, ...headers }, body);
  /** Shows a photo of `length` bytes by a preview. */
  async function announce(key: string, picture: Uint8Array, length: number, headers: Record<string, string> = {}) {
    const about = { 'upload-length': String(length), 'upload-metadata': metadata(), 'content-type': 'image/jpeg' };
    const answer = await ask('PUT', `/uploads/${key}/preview`, { ...about, ...headers }, picture);
    return { ...answer, json: JSON.parse(answer.body) as { photo: Photo; code: string } };
  }
  const offsetOf = async (path: string): Promise<number> => Number((await ask('HEAD', path)).headers['upload-offset']);
  const download = async (id: string): Promise<Buffer> =>
    Buffer.from(
      await (await fetch(`${current().app.url}/api/photos/${id}/download`, { headers: { 'device-id': current().device } })).arrayBuffer(),
    );

  /** Sends the first bytes of a request and breaks off, once the server is `reading` it. */
  async function breakOff(
    method: string,
    path: string,
    headers: Record<string, string>,
    first: Uint8Array,
    reading: () => Promise<boolean> = async () => true,
  ): Promise<void> {
    const sending = request(`${current().app.url}${path}`, { method, headers: { 'device-id': current().device, ...headers } });
    const closed = new Promise((resolve) => sending.once('close', resolve));
    sending.on('error', () => undefined);
    await new Promise<void>((resolve) => sending.write(first, () => resolve()));
    await expect.poll(reading).toBe(true);
    sending.destroy();
    await closed;
  }
  const staging = async (): Promise<boolean> => (await current().app.leftovers()).staged.length > 0;
  const row = () => current().app.db.kysely.selectFrom('uploads').selectAll().executeTakeFirst();

  return { ask, create, append, announce, metadata, offsetOf, download, breakOff, staging, row };
}
