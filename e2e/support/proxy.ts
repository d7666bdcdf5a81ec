import { connect, createServer, type AddressInfo } from 'node:net';

const BAD_GATEWAY =
  'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 20\r\nconnection: close\r\n\r\n<h1>Bad Gateway</h1>';
const UNAVAILABLE_BODY = '{"error":"Ausgelastet","code":"unavailable"}';
const UNAVAILABLE = `HTTP/1.1 503 Service Unavailable\r\nretry-after: 20\r\ncontent-type: application/json\r\ncontent-length: ${UNAVAILABLE_BODY.length}\r\nconnection: close\r\n\r\n${UNAVAILABLE_BODY}`;

/** `silent`: connections stay open, and no byte passes. `unavailable`: 503 with Retry-After 20. */
export type Line = 'open' | 'silent' | 'bad-gateway' | 'unavailable';

export interface Proxy {
  url: string;
  /** Connections made since the start. */
  connections(): number;
  /** How it treats all further bytes. A connection that was silent once stays so. */
  become(line: Line): void;
  /** Each further connection is cut after so many bytes from the browser; null: none is. */
  cutAfter(bytes: (() => number) | null): void;
  close(): Promise<void>;
}

/** A TCP proxy before the server at `target`, for outages between the browser and it. */
export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  let line: Line = 'open';
  let connections = 0;
  let bytesUntilCut: (() => number) | null = null;
  const sockets = new Set<{ destroy(): unknown }>();
  const server = createServer((browser) => {
    connections++;
    const upstream = connect(Number(port), hostname);
    let dead = false;
    let left = bytesUntilCut?.() ?? Infinity;
    sockets.add(browser).add(upstream);
    for (const [from, to] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => dead || to.destroy());
      from.on('data', (chunk: Buffer) => {
        dead ||= line === 'silent';
        if (dead) return;
        if (from === browser && (left -= chunk.length) < 0) {
          dead = true;
          to.end(chunk.subarray(0, left));
          browser.destroy();
          return;
        }
        if (line === 'open') to.write(chunk);
        else if (from === browser && browser.writable) browser.end(line === 'unavailable' ? UNAVAILABLE : BAD_GATEWAY);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    become: (next) => {
      line = next;
    },
    cutAfter: (bytes) => {
      bytesUntilCut = bytes;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
