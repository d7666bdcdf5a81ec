import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contract } from '@feierbild/contract/contract.ts';

/** Answers of a proxy in the server's place. */
export const WRONG = ['404', '403', '401', '500', '502', '200 with HTML', 'silence', 'a cut in the middle'] as const;
/** Answers of a proxy that refuses calls for good. */
export const REFUSALS = [
  '403',
  '404',
  '405',
  '406',
  '400',
  '413 above 1 MB',
  '502',
  '200 with HTML',
  'silence',
  'a cut in the middle',
  'a cut above 1 MB',
] as const;
/** Calls that pass without non-standard headers. */
export const STRIPPED = ['requests without our headers', 'answers without our headers'] as const;
export type Wrong = (typeof WRONG)[number] | (typeof REFUSALS)[number] | (typeof STRIPPED)[number];
/** Largest request that nginx accepts by default. */
const MOST_BYTES = 1024 * 1024;

export interface WrongAnswers {
  url: string;
  /** Answers the first `times` of each call so, or only `meant` ones; never documents and the build's files. Resets the counts. */
  become(wrong: Wrong | null, times?: number, meant?: (call: string) => boolean): void;
  /** Returns the calls that were answered so since then; `POST as DELETE …` if a header names the method. */
  wronged(): string[];
  close(): void;
}

/** Standard headers of browsers and proxies. */
const STANDARD =
  /^(accept|accept-.*|cache-control|connection|content-.*|cookie|date|etag|expires|host|if-.*|keep-alive|last-modified|location|origin|range|referer|retry-after|sec-.*|set-cookie|transfer-encoding|user-agent|vary)$/;
const isStripped = (wrong: Wrong | null): wrong is (typeof STRIPPED)[number] => (STRIPPED as readonly (Wrong | null)[]).includes(wrong);
const standard = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => STANDARD.test(name)));

const CALLS = Object.keys(contract).map((name) => {
  const [method, pattern = ''] = name.split(' ');
  return { name, method, path: new RegExp(`^${pattern.replace(/:[a-z]+/g, '[^/]+')}$`) };
});
const PAGE = '<!doctype html><title>Anmelden</title><h1>Willkommen im WLAN</h1>';

/** Starts a proxy that may answer itself, like a proxy whose server is down, a firewall, or the sign-in page of a Wi-Fi. */
export async function startWrongAnswers(target: string): Promise<WrongAnswers> {
  let wrong: Wrong | null = null;
  let most = Infinity;
  let isMeant: (call: string) => boolean = () => true;
  let counts = new Map<string, number>();
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const [path = ''] = url.split('?');
    const isDocument = headers.accept?.includes('text/html') ?? false;
    const override = headers['x-http-method-override'];
    const named = CALLS.find((one) => one.method === (override ?? method) && one.path.test(path))?.name;
    const asNamed = named !== undefined && override !== undefined ? `${method} as ${named}` : named;
    const call = isDocument ? undefined : asNamed;
    const count = counts.get(call ?? '') ?? 0;
    const isSmall = wrong?.endsWith('above 1 MB') && Number(headers['content-length'] ?? 0) <= MOST_BYTES;
    const manner = call === undefined || isSmall || count >= most || !isMeant(call) ? null : wrong;
    if (manner === null || isStripped(manner)) {
      const sent = manner === 'requests without our headers' ? standard(headers) : headers;
      const passed = request(target + url, { method: method as string, headers: sent }, (answer) => {
        const given = manner === 'answers without our headers' ? standard(answer.headers) : answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, given);
        answer.on('error', () => outgoing.destroy()).pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      outgoing.on('close', () => {
        passed.destroy();
        // An answer may come before the whole request is read; otherwise the connection's next request would wait behind the rest.
        incoming.unpipe().resume();
      });
      incoming.pipe(passed);
      return;
    }
    counts.set(call as string, count + 1);
    incoming.resume();
    if (manner === 'a cut above 1 MB') return void incoming.on('end', () => incoming.socket.destroy());
    if (manner === 'silence') return;
    if (manner === 'a cut in the middle') {
      // It cuts after the whole request, with headers sent, because a browser repeats by itself a request that a reset left without any.
      incoming.on('end', () => {
        outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        outgoing.write('{"photos":[', () => outgoing.socket?.end());
      });
      return;
    }
    outgoing.writeHead(Number.parseInt(manner, 10), { 'content-type': 'text/html' }).end(PAGE);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    become(next, times = Infinity, meant = () => true) {
      wrong = next;
      most = times;
      isMeant = meant;
      counts = new Map();
      proxy.closeAllConnections();
    },
    wronged: () => [...counts.keys()].toSorted(),
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
