import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventId, EVENTS, photoId, PHOTOS } from './fill.ts';

const PAGE = 1000;
/** Number of objects: the original of each photo, except those of the event under test. */
const OBJECTS = (EVENTS - 1) * PHOTOS;
const OLD = '2026-01-01T00:00:00.000Z';

/** An S3 server for lists alone. It computes the listed objects and drops uploaded ones. */
export interface GeneratedStore {
  url: string;
  objects: number;
  /** Calls so far, by kind. */
  calls: Record<'list' | 'put' | 'delete' | 'other', number>;
  stop(): Promise<void>;
}

export async function startGeneratedStore(): Promise<GeneratedStore> {
  const calls = { list: 0, put: 0, delete: 0, other: 0 };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://store');
    request.resume();
    if (request.method === 'GET' && url.searchParams.get('list-type') === '2') {
      calls.list += 1;
      response.setHeader('content-type', 'application/xml').end(listed(url.searchParams));
      return;
    }
    calls[kindOf(request)] += 1;
    const status = { PUT: 200, DELETE: 204 }[request.method ?? ''] ?? 404;
    request.once('end', () => response.writeHead(status, { etag: '"0"' }).end());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `s3://generated/x?endpoint=http://127.0.0.1:${port}`,
    objects: OBJECTS,
    calls,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const kindOf = ({ method }: IncomingMessage): 'put' | 'delete' | 'other' =>
  method === 'PUT' ? 'put' : method === 'DELETE' ? 'delete' : 'other';

/** Answers ListObjectsV2: everything, an event's objects, or with a delimiter the events' folders. */
function listed(query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const root = prefix.slice(0, prefix.indexOf('events/') + 'events/'.length);
  const of = /events\/([0-9a-f-]{36})\/$/.exec(prefix)?.[1];
  const first = of === undefined ? 1 : numberOf(of);
  const [from, to] = of === undefined ? [0, OBJECTS] : [(first - 1) * PHOTOS, first * PHOTOS];
  const [, event, photo] = /events\/([0-9a-f-]{36})(?:\/([0-9a-f-]{36}))?/.exec(after) ?? [];
  if (query.has('delimiter')) {
    const events = range(event === undefined ? 1 : numberOf(event) + 1, EVENTS);
    return answer(
      events.map((e) => `<CommonPrefixes><Prefix>${root}${eventId(e)}/</Prefix></CommonPrefixes>`),
      events.length > PAGE ? `${root}${eventId(events[PAGE - 1] as number)}/` : null,
    );
  }
  const begin =
    event === undefined ? from : Math.max(from, (numberOf(event) - 1) * PHOTOS + (photo === undefined ? 0 : indexOf(photo) + 1));
  const keys = range(begin, Math.min(to, begin + PAGE)).map((at) => {
    const e = 1 + Math.floor(at / PHOTOS);
    return `${root}${eventId(e)}/${photoId(e + EVENTS * (at % PHOTOS))}.original`;
  });
  const contents = keys.map(
    (key) => `<Contents><Key>${key}</Key><LastModified>${OLD}</LastModified><ETag>"0"</ETag><Size>4000100</Size></Contents>`,
  );
  return answer(contents, begin + PAGE < to ? (keys.at(-1) as string) : null);
}

function answer(entries: string[], token: string | null): string {
  const next = token === null ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`;
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${token !== null}</IsTruncated>${next}${entries.slice(0, PAGE).join('')}</ListBucketResult>`;
}

const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);
/** Returns the number in an id (fill.ts). */
const numberOf = (id: string): number => Number.parseInt(id.slice(-12), 16);
const indexOf = (photo: string): number => Math.floor(numberOf(photo) / EVENTS);
