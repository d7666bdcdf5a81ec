import { randomBytes } from 'node:crypto';
import { request, type ClientRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { expect } from 'vitest';

const CLIENT = fileURLToPath(new URL('../../node_modules/tus-js-client/dist/tus.min.js', import.meta.url));
const BODY = 'application/offset+octet-stream';

export interface TusAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** Makes a device that speaks tus by single requests, to any of several servers. */
export function tusDevice(device: string) {
  const common = { 'tus-resumable': '1.0.0', 'device-id': device };
  async function ask(method: string, url: string, headers: Record<string, string> = {}, body?: Uint8Array): Promise<TusAnswer> {
    const response = await fetch(url, { method, headers: { ...common, ...headers }, ...(body && { body: Buffer.from(body) }) });
    return { status: response.status, headers: response.headers, body: await response.text() };
  }
  const bytesAt = (offset: number) => ({ 'upload-offset': String(offset), 'content-type': BODY });
  return {
    ask,
    create: (server: string, code: string, length: number, headers: Record<string, string> = {}) =>
      ask('POST', `${server}/uploads`, {
        'upload-length': String(length),
        'upload-metadata': `filename ${base64('a.jpg')},eventCode ${base64(code)},deviceName ${base64('Jörg')}`,
        ...headers,
      }),
    append: (url: string, offset: number, body: Uint8Array) => ask('PATCH', url, bytesAt(offset), body),
    /** Asks for an upload's offset; null if there is no such upload. */
    async offset(url: string): Promise<number | null> {
      const { status, headers } = await ask('HEAD', url);
      return status === 200 ? Number(headers.get('upload-offset')) : null;
    },
    /** Begins a request that announces `length` bytes and sends the first of them; the caller ends or breaks it. */
    async begin(url: string, offset: number, length: number, first: Uint8Array): Promise<ClientRequest> {
      const sending = request(url, { method: 'PATCH', headers: { ...common, ...bytesAt(offset), 'content-length': length } });
      sending.on('error', () => undefined);
      await new Promise<void>((resolve) => sending.write(first, () => resolve()));
      return sending;
    },
  };
}

interface Announced {
  code: string;
  device: string;
  name: string;
  original: Uint8Array;
  preview: Uint8Array;
}

/** Sends only a photo's preview, as a phone does; returns a function that sends the original. */
export async function announce(server: string, { code, device, name, original, preview }: Announced): Promise<() => Promise<TusAnswer>> {
  const { ask, append } = tusDevice(device);
  const pairs = Object.entries({ filename: name, eventCode: code, deviceName: 'Anna' });
  const metadata = pairs.map(([key, value]) => `${key} ${base64(value)}`).join(',');
  const about = { 'upload-length': String(original.length), 'upload-metadata': metadata, 'content-type': 'image/jpeg' };
  const url = `${server}/uploads/${randomBytes(16).toString('base64url')}`;
  expect(await ask('PUT', `${url}/preview`, about, preview)).toMatchObject({ status: 201 });
  return () => append(url, 0, original);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Sends a file by the unmodified tus-js-client in a browser's page of the same origin; returns the body of the last answer. */
export async function sendInBrowser(page: Page, { path, code, device }: { path: string; code: string; device: string }): Promise<string> {
  // The script is added before any page's code, because our pages' policy forbids others' scripts.
  await page.addInitScript({ path: CLIENT });
  await page.goto('/impressum');
  await page.evaluate(() => document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'tus' })));
  const input = page.locator('#tus');
  await input.setInputFiles(path);
  return input.evaluate(
    (element, sent) =>
      new Promise<string>((resolve, reject) => {
        const file = (element as HTMLInputElement).files?.[0] as File;
        const { Upload } = (globalThis as unknown as { tus: typeof import('tus-js-client') }).tus;
        new Upload(file, {
          endpoint: '/uploads',
          headers: { 'Device-ID': sent.device },
          metadata: { filename: file.name, eventCode: sent.code, deviceName: 'Jörg' },
          retryDelays: Array.from({ length: 200 }, () => 50),
          onSuccess: ({ lastResponse }) => resolve(lastResponse.getBody()),
          onError: reject,
        }).start();
      }),
    { code, device },
  );
}
