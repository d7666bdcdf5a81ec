import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** From now on nothing passes in either direction on the connections that are open, and nobody is told. */
  silence(): void;
  /** The same for connections that are yet to come, until `false`. */
  silenceNew(on: boolean): void;
  /** Ends all connections that are open. */
  cut(): void;
  close(): Promise<void>;
}

/** For tests: stands before a server on this machine and causes its outages. */
export async function tcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<{ near: Socket; far: Socket; silent: boolean }>();
  let silent = false;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    const pair = { near, far, silent };
    pairs.add(pair);
    near.on('data', (bytes) => pair.silent || far.write(bytes));
    far.on('data', (bytes) => pair.silent || near.write(bytes));
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
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
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
