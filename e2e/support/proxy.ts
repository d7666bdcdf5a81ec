import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const BAD_GATEWAY =
  'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 20\r\nconnection: close\r\n\r\n<h1>Bad Gateway</h1>';
const UNAVAILABLE_BODY = '{"error":"Ausgelastet","code":"unavailable"}';
const UNAVAILABLE = `HTTP/1.1 503 Service Unavailable\r\nretry-after: 20\r\ncontent-type: application/json\r\ncontent-length: ${UNAVAILABLE_BODY.length}\r\nconnection: close\r\n\r\n${UNAVAILABLE_BODY}`;

/**
 * The state of the line. `silent`: connections stay open but drop all bytes, also after the line is open again. `paused`: bytes wait
 * until it is open. `unavailable`: 503 with Retry-After 20.
 */
export type Line = 'open' | 'silent' | 'paused' | 'bad-gateway' | 'unavailable';

export interface Proxy {
  url: string;
  /** Returns the number of connections since the start. */
  connections(): number;
  /** Returns the bytes, with headers, that the line took from the browser, without those that wait for their turn on a slow line. */
  sent(): number;
  /** Returns the time of the last such byte, ms since 1970. */
  lastSent(): number;
  /** Returns the number of chunks that silent connections dropped. */
  swallowed(): number;
  /** Sets the treatment of all further bytes. A connection that was silent once stays silent. */
  become(line: Line): void;
  /** Cuts each further connection after so many bytes from the browser; null cuts none. */
  cutAfter(bytes: (() => number) | null): void;
  /** Breaks each connection on which a call to such a path begins, except the next `spared` calls, not counting HEAD; null breaks none. */
  refuse(paths: RegExp | null, spared?: number): void;
  /** Ends all connections; bytes that had arrived here still reach the server. */
  cut(): void;
  /** Cuts once, after that many further bytes to the server; resolves then. */
  cutOnceAfter(bytes: number): Promise<void>;
  /** Leads further connections to another server. */
  lead(target: string): void;
  close(): Promise<void>;
}

/** Least number of bytes that a slow connection passes on at once; more than a real packet, because timers are coarse. */
const LEAST_PACKET_BYTES = 4096;
const PACKET_MS = 5;
type Way = 'up' | 'down';

export interface LineOptions {
  /** Speed of the whole line, each way; unlimited by default. */
  bytesPerSecond?: number;
  /** Delay, each way. */
  delayMs?: number;
}

/** Starts a TCP proxy before the server at `target`, for outages and slow lines between browser and server. */
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
  /** Actions that wait until the line is open again. */
  const waiting: (() => void)[] = [];
  const pairs = new Set<{ browser: Socket; upstream: Socket; cut: boolean }>();
  const sockets = new Set<Socket>();
  /** Times at which the line has passed on all its bytes, by direction, ms since 1970. */
  const busyUntil = { up: 0, down: 0 };

  function cut(): void {
    cutAt = Infinity;
    onCut();
    for (const pair of pairs) {
      pair.cut = true;
      pair.browser.destroy();
      pair.upstream.end();
    }
    // Bytes that waited for their turn on the line are lost.
    Object.assign(busyUntil, { up: 0, down: 0 });
  }

  const server = createServer({ pauseOnConnect: true }, (browser) => {
    connections++;
    const upstream = connect(port, host);
    // Without a proxy, a browser could not send to a server that does not listen.
    if (line === 'open' || line === 'paused') upstream.once('connect', () => browser.resume());
    else browser.resume();
    const pair = { browser, upstream, cut: false };
    /** Packets in flight. Each timer passes on the first one, because timers of a busy process do not keep their order. */
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
    /** Sends a chunk over the line packet by packet, so that connections share it evenly, as without a proxy. */
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
        // While the line is paused, no more is read: two waiting chunks would be carried at once, and their packets mixed.
        else if (line === 'paused') waiting.push(() => from.resume());
        else from.resume();
      }, waitMs);
      setTimeout(() => {
        pass(from, to, carried[way].shift() as Buffer);
      }, waitMs + delayMs);
    };
    /** Calls `end` once the line has passed on all packets. */
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
        // Packets in flight still arrive; the browser must not keep sending to nobody.
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
        // An answer in flight breaks off. If its bytes were dropped, the browser would wait for the rest on one of its few connections.
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

/** Reads the call that begins with this chunk; its path is empty if none does. */
function callOf(chunk: Buffer): { path: string; isHead: boolean } {
  const head = chunk.toString('latin1', 0, 4096);
  const [, method = '', path = ''] = /^([A-Z]+) (\S+) HTTP\//.exec(head) ?? [];
  return { path, isHead: method === 'HEAD' || /^x-http-method-override: HEAD\r$/im.test(head) };
}

function addressOf(url: string): [host: string, port: number] {
  const { hostname, port } = new URL(url);
  return [hostname, Number(port)];
}
