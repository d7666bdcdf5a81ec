import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createS3Store } from './s3-store.ts';

/** Objects of one event: more than one call deletes. */
const NAMES = Array.from({ length: 1500 }, (_, n) => `events/a/${String(n).padStart(4, '0')}.original`);
const [FIRST = ''] = NAMES;

const listOf = (names: readonly string[], more = ''): string =>
  `<ListBucketResult><Name>any</Name>${more}${names.map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`).join('')}</ListBucketResult>`;

/** An answer to a deletion: its status and body. */
type Answer = [status: number, body: string];

describe('a deletion', () => {
  const open: Disposable[] = [];
  afterEach(() => open.splice(0).forEach((one) => one[Symbol.dispose]()));

  /** Opens a store whose side of S3 lists `listed` and answers deletions as told. */
  async function storeWith(listed: string, deletion: (method: string, path: string, body: string) => Answer) {
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += String(piece);
      const [status, text] = request.method === 'GET' ? ([200, listed] as const) : deletion(request.method ?? '', request.url ?? '', body);
      response.writeHead(status).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = createS3Store({ bucket: 'any', prefix: '', endpoint, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
    open.push({ [Symbol.dispose]: () => void store.close().then(() => server.close()) });
    return store;
  }

  const two = NAMES.slice(0, 2);
  it.each([
    ['nothing', '', listOf(two)],
    ['a page', '<html><body>maintenance</body></html>', listOf(two)],
    ['a part of it', `<DeleteResult><Deleted><Key>${FIRST}</Key></Deleted></DeleteResult>`, listOf(two)],
    ['a list that is cut off', '', listOf(two, '<IsTruncated>true</IsTruncated>')],
  ])('that something else than the store answers is none: %s', async (_, body, listed) => {
    const store = await storeWith(listed, () => [200, body]);
    await expect(store.removePrefix('events/a/')).rejects.toThrow(/^store unavailable: an answer that is not of S3$/);
  });

  it.each([
    ['together', false],
    ['one by one', true],
  ])('goes on behind an object that the store keeps, and fails at its end: %s', async (_, single) => {
    const gone = new Set<string>();
    const store = await storeWith(listOf(NAMES), (method, path, body) => {
      if (method === 'DELETE') {
        const name = path.slice('/any/'.length).replace(/\?.*/, '');
        if (name === FIRST) return [403, '<Error><Code>AccessDenied</Code><Message>locked</Message></Error>'];
        gone.add(name);
        return [204, ''];
      }
      if (single) return [501, '<Error><Code>NotImplemented</Code></Error>'];
      const asked = [...body.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, name = '']) => name);
      const kept = asked.filter((name) => name === FIRST);
      for (const name of asked) if (name !== FIRST) gone.add(name);
      const deleted = asked.filter((name) => name !== FIRST).map((name) => `<Deleted><Key>${name}</Key></Deleted>`);
      const errors = kept.map((name) => `<Error><Key>${name}</Key><Code>AccessDenied</Code></Error>`);
      return [200, `<DeleteResult>${deleted.join('')}${errors.join('')}</DeleteResult>`];
    });
    await expect(store.removePrefix('events/a/')).rejects.toThrow();
    expect(gone.size).toBe(NAMES.length - 1);
  });

  it('ends at once where the store is down', async () => {
    let asked = 0;
    const store = await storeWith(listOf(NAMES), (method) => {
      if (method !== 'DELETE') return [501, '<Error><Code>NotImplemented</Code></Error>'];
      asked += 1;
      return [503, ''];
    });
    await expect(store.removePrefix('events/a/')).rejects.toThrow(/^store unavailable/);
    expect(asked).toBeLessThan(10);
  });
});
