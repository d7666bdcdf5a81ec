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
  /** From now on, how often clients have sent `text`. */
  count(text: string): () => number;
  close(): Promise<void>;
}

/** For tests: a TCP proxy before a server on this machine, to cause outages; on a free port if `port` is 0. */
export async function tcpProxy(target: number, port = 0): Promise<TcpProxy> {
  const pairs = new Set<{ near: Socket; far: Socket; silent: boolean }>();
  let silent = false;
  let trap: { text: string; lateMs: number } | null = null;
  const counted = new Map<string, number>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    const pair = { near, far, silent };
    pairs.add(pair);
    near.on('data', (bytes) => {
      for (const [text, times] of counted) if (bytes.includes(text)) counted.set(text, times + 1);
      if (pair.silent) return;
      if (!trap || !bytes.includes(trap.text)) return void far.write(bytes);
      const { lateMs } = trap;
      trap = null;
      pairs.delete(pair);
      near.removeAllListeners('close').destroy();
      setTimeout(() => far.end(bytes), lateMs);
    });
    far.on('data', (bytes) => pair.silent || near.write(bytes));
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
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
