import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const BAD_GATEWAY =
  'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 20\r\nconnection: close\r\n\r\n<h1>Bad Gateway</h1>';
const UNAVAILABLE_BODY = '{"error":"Ausgelastet","code":"unavailable"}';
const UNAVAILABLE = `HTTP/1.1 503 Service Unavailable\r\nretry-after: 20\r\ncontent-type: application/json\r\ncontent-length: ${UNAVAILABLE_BODY.length}\r\nconnection: close\r\n\r\n${UNAVAILABLE_BODY}`;

/**
 * `silent`: connections stay open but drop all bytes, also after the proxy is open again. `paused`: bytes wait until it is open.
 * `unavailable`: 503 with Retry-After 20.
 */
export type Line = 'open' | 'silent' | 'paused' | 'bad-gateway' | 'unavailable';

export interface Proxy {
  url: string;
  /** Connections made since the start. */
  connections(): number;
  /** Bytes that the line took from the browser, with headers: what still waits for its turn on a slow line is not sent yet. */
  sent(): number;
  /** Instant of the last of them, ms since 1970. */
  lastSent(): number;
  /** Chunks that silent connections dropped. */
  swallowed(): number;
  /** How it treats all further bytes. A connection that was silent once stays so. */
  become(line: Line): void;
  /** Each further connection is cut after so many bytes from the browser; null: none is. */
  cutAfter(bytes: (() => number) | null): void;
  /** Breaks each connection over which a call to such a path begins, but for the next `spared`, where HEAD counts for nothing; null: none is broken. */
  refuse(paths: RegExp | null, spared?: number): void;
  /** Ends all connections; what had arrived here still gets to the server. */
  cut(): void;
  /** Does so once, when that many bytes more went to the server; resolves then. */
  cutOnceAfter(bytes: number): Promise<void>;
  /** Leads further connections to another server. */
  lead(target: string): void;
  close(): Promise<void>;
}

/** Fewest bytes that a slow connection passes on at once: more than one real packet, because timers are coarse. */
const LEAST_PACKET_BYTES = 4096;
const PACKET_MS = 5;
type Way = 'up' | 'down';

export interface LineOptions {
  /** Of the whole line, each way; unlimited by itself. */
  bytesPerSecond?: number;
  /** Each way. */
  delayMs?: number;
}

/** A TCP proxy before the server at `target`, for outages and slow lines between the browser and it. */
export async function startProxy(target: string, { bytesPerSecond = Infinity, delayMs = 0 }: LineOptions = {}): Promise<Proxy> {
  let [host, port] = addressOf(target);
  const packetBytes = Math.max(LEAST_PACKET_BYTES, (bytesPerSecond * PACKET_MS) / 1000);
  let line: Line = 'open';
  let connections = 0;
  let bytesUntilCut: (() => number) | null = null;
  let refused: RegExp | null = null;
  let toSpare = 0;
  let sent = 0;
  let lastSent = 0;
  let swallowed = 0;
  let cutAt = Infinity;
  let onCut = (): void => undefined;
  /** What waits until the line is open again. */
  const waiting: (() => void)[] = [];
  const pairs = new Set<{ browser: Socket; upstream: Socket; cut: boolean }>();
  const sockets = new Set<Socket>();
  /** When the line has passed on all that it was given, by direction. */
  const busyUntil = { up: 0, down: 0 };

  function cut(): void {
    cutAt = Infinity;
    onCut();
    for (const pair of pairs) {
      pair.cut = true;
      pair.browser.destroy();
      pair.upstream.end();
    }
    // What waited for its turn on the line is gone.
    Object.assign(busyUntil, { up: 0, down: 0 });
  }

  const server = createServer({ pauseOnConnect: true }, (browser) => {
    connections++;
    const upstream = connect(port, host);
    // As without a proxy: nothing can be sent to a server that does not listen.
    if (line === 'open' || line === 'paused') upstream.once('connect', () => browser.resume());
    else browser.resume();
    const pair = { browser, upstream, cut: false };
    /** Packets on their way. Each timer passes the first of them, since timers of a busy process do not keep their order. */
    const carried: Record<Way, Buffer[]> = { up: [], down: [] };
    let dead = false;
    let left = bytesUntilCut?.() ?? Infinity;
    pairs.add(pair);
    sockets.add(browser).add(upstream);
    const pass = (from: Socket, to: Socket, chunk: Buffer): void => {
      if (dead || to.destroyed || to.writableEnded) return;
      if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      if (from === browser && sent >= cutAt) cut();
    };
    const count = (from: Socket, chunk: Buffer): void => {
      if (from !== browser || pair.cut) return;
      sent += chunk.length;
      lastSent = Date.now();
    };
    /** Takes its turns on the line, packet by packet: connections share it evenly, as they do where no proxy is between. */
    const carry = (from: Socket, to: Socket, chunk: Buffer): void => {
      if (bytesPerSecond === Infinity && delayMs === 0) {
        count(from, chunk);
        pass(from, to, chunk);
        return;
      }
      if (pair.cut) return;
      const way = from === browser ? 'up' : 'down';
      const packet = chunk.subarray(0, packetBytes);
      const startsAt = Math.max(Date.now(), busyUntil[way]);
      busyUntil[way] = startsAt + (packet.length / bytesPerSecond) * 1000;
      const waitMs = Math.max(0, busyUntil[way] - Date.now());
      from.pause();
      carried[way].push(packet);
      setTimeout(() => count(from, packet), Math.max(0, startsAt - Date.now()));
      setTimeout(() => {
        if (packet.length < chunk.length) carry(from, to, chunk.subarray(packet.length));
        // Not while the line is paused: two chunks that wait would then be carried at once, and their packets change places.
        else if (line === 'paused') waiting.push(() => from.resume());
        else from.resume();
      }, waitMs);
      setTimeout(() => {
        pass(from, to, carried[way].shift() as Buffer);
      }, waitMs + delayMs);
    };
    /** Once all that the line was given has passed. */
    const afterAll = (way: Way, end: () => void): void => {
      if (carried[way].length > 0 && !pair.cut) setTimeout(() => afterAll(way, end), 5);
      else end();
    };
    for (const [from, to] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => {
        pairs.delete(pair);
        if (dead) return;
        // What was on its way still arrives; the browser must not go on sending to nobody.
        setTimeout(() => afterAll(to === upstream ? 'up' : 'down', () => (to === upstream ? to.end() : to.destroy())), delayMs);
      });
      from.on('data', (chunk: Buffer) => {
        dead ||= line === 'silent';
        if (dead) {
          swallowed += 1;
          return;
        }
        if (from === browser && refused) {
          const { path, isHead } = callOf(chunk);
          if (refused.test(path) && (toSpare === 0 || (!isHead && toSpare-- === 0))) {
            browser.destroy();
            return;
          }
        }
        if (from === browser && (left -= chunk.length) < 0) {
          dead = true;
          to.end(chunk.subarray(0, left));
          browser.destroy();
          return;
        }
        if (line === 'open' || line === 'paused') {
          if (line === 'open') carry(from, to, chunk);
          else {
            from.pause();
            waiting.push(() => {
              from.resume();
              carry(from, to, chunk);
            });
          }
        } else if (from === browser && browser.writable) browser.end(line === 'unavailable' ? UNAVAILABLE : BAD_GATEWAY);
        // An answer that was under way breaks off. Were its bytes dropped, the browser would wait for the rest on this connection, of few.
        else if (from === upstream && browser.writable) browser.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    sent: () => sent,
    lastSent: () => lastSent,
    swallowed: () => swallowed,
    become: (next) => {
      line = next;
      if (line === 'open') waiting.splice(0).forEach((go) => go());
    },
    refuse: (paths, spared = 0) => {
      [refused, toSpare] = [paths, spared];
    },
    cut,
    cutOnceAfter: (bytes) => {
      cutAt = sent + bytes;
      return new Promise((resolve) => (onCut = resolve));
    },
    lead: (next) => {
      [host, port] = addressOf(next);
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

/** The call that begins with this chunk; its path is empty where none does. */
function callOf(chunk: Buffer): { path: string; isHead: boolean } {
  const head = chunk.toString('latin1', 0, 4096);
  const [, method = '', path = ''] = /^([A-Z]+) (\S+) HTTP\//.exec(head) ?? [];
  return { path, isHead: method === 'HEAD' || /^x-http-method-override: HEAD\r$/im.test(head) };
}

function addressOf(url: string): [host: string, port: number] {
  const { hostname, port } = new URL(url);
  return [hostname, Number(port)];
}
