import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Silently drops all bytes in both directions on the open connections. */
  silence(): void;
  /** The same for new connections, until `false`. */
  silenceNew(on: boolean): void;
  /** Ends all connections that are open. */
  cut(): void;
  /** Cuts the next connection whose client sends `text`; the server still receives these bytes, after `lateMs`. */
  cutAt(text: string, lateMs: number): void;
  /** Each connection is cut once it has carried so many bytes from now on, both ways together; null: none is. */
  cutAfter(draw: (() => number) | null): void;
  /** Passes on one direction's bytes piece by piece (64 KB at most), each with this delay; 0: at once. */
  slow(pieceMs: number): void;
  /** From now on answers each request with this text and ends its connection; null: the server answers. */
  answer(text: string | null): void;
  /** Holds back requests that contain `text`, from now on; the returned function passes them on. */
  hold(text: string): () => void;
  /** From now on, how often clients have sent `text`. */
  count(text: string): () => number;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
  silent: boolean;
  /** Bytes until it is cut. */
  left: number;
}

/** For tests: a TCP proxy before a server on this machine, to cause outages; on a free port if `port` is 0. */
export async function tcpProxy(target: number, port = 0): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let silent = false;
  let pieceMs = 0;
  let drawCut: (() => number) | null = null;
  let answer: string | null = null;
  let trap: { text: string; lateMs: number } | null = null;
  let held: { text: string; waiting: (() => void)[] } | null = null;
  const counted = new Map<string, number>();

  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    const pair: Pair = { near, far, silent, left: drawCut?.() ?? Infinity };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    const carry = (bytes: Buffer, to: Socket): void => {
      if (pair.silent || to.destroyed) return;
      pair.left -= bytes.length;
      to.write(pair.left < 0 ? bytes.subarray(0, pair.left) : bytes);
      if (pair.left < 0) to.end(end);
    };
    const passTo = (to: Socket): ((bytes: Buffer) => void) => {
      const waiting: Buffer[] = [];
      const next = (): void => {
        carry(waiting[0] as Buffer, to);
        waiting.shift();
        if (waiting.length > 0) setTimeout(next, pieceMs);
      };
      return (bytes) => {
        if (pieceMs === 0 && waiting.length === 0) return carry(bytes, to);
        if (waiting.push(bytes) === 1) setTimeout(next, pieceMs);
      };
    };
    const [up, down] = [passTo(far), passTo(near)];
    near.on('data', (bytes: Buffer) => {
      for (const [text, times] of counted) if (bytes.includes(text)) counted.set(text, times + 1);
      if (answer !== null) return void near.end(answer, end);
      if (pair.silent) return;
      if (held && bytes.includes(held.text)) {
        near.pause();
        held.waiting.push(() => {
          up(bytes);
          near.resume();
        });
        return;
      }
      if (!trap || !bytes.includes(trap.text)) return up(bytes);
      const { lateMs } = trap;
      trap = null;
      pairs.delete(pair);
      near.removeAllListeners('close').destroy();
      setTimeout(() => far.end(bytes), lateMs);
    });
    far.on('data', down);
    // Pieces are passed on as they come, without Nagle's wait for the next one.
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      for (const pair of pairs) pair.silent = true;
    },
    silenceNew: (on) => void (silent = on),
    cut,
    cutAt: (text, lateMs) => void (trap = { text, lateMs }),
    cutAfter(draw) {
      drawCut = draw;
      for (const pair of pairs) pair.left = draw?.() ?? Infinity;
    },
    slow: (ms) => void (pieceMs = ms),
    answer: (text) => void (answer = text),
    hold(text) {
      const waiting: (() => void)[] = [];
      held = { text, waiting };
      return () => {
        held = null;
        for (const passOn of waiting) passOn();
      };
    },
    count(text) {
      counted.set(text, 0);
      return () => counted.get(text) ?? 0;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
