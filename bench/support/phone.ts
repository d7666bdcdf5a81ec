import { connect, type Socket } from 'node:net';

/** Connections that a browser opens to one server. */
const CONNECTIONS = 6;
const HEAD_END = Buffer.from('\r\n\r\n');

export interface PhoneAnswer {
  status: number;
  body: Buffer;
  cookie: string | undefined;
}
interface Asked {
  bytes: readonly (string | Uint8Array)[];
  resolve(answer: PhoneAnswer): void;
  reject(error: Error): void;
}

/**
 * Opens the connections of a phone, or of several, to a server: HTTP/1.1 with as little work as possible, because real phones do not work
 * on the server's cores. Answers must have a Content-Length, or no content (204).
 */
export function createPhone(url: string, connections = CONNECTIONS) {
  const { hostname, port, host } = new URL(url);
  const waiting: Asked[] = [];
  const sockets = new Set<Socket>();
  const idle = new Map<Socket, (asked: Asked) => void>();

  function open(): void {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    sockets.add(socket);
    let current: Asked | undefined;
    let got: Buffer = Buffer.alloc(0);
    const take = (asked: Asked): void => {
      idle.delete(socket);
      current = asked;
      socket.cork();
      for (const piece of asked.bytes) socket.write(piece);
      socket.uncork();
    };
    const goOn = (): void => {
      const next = waiting.shift();
      if (next) take(next);
      else idle.set(socket, take);
    };
    socket.on('data', (piece: Buffer) => {
      got = got.length === 0 ? piece : Buffer.concat([got, piece]);
      const end = got.indexOf(HEAD_END);
      if (end < 0 || !current) return;
      const head = got.toString('latin1', 0, end);
      const status = Number(head.slice(9, 12));
      const length = status === 204 ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? Number.NaN);
      if (Number.isNaN(length)) return void socket.destroy(new Error(`an answer without a length: ${head}`));
      const bodyAt = end + HEAD_END.length;
      if (got.length < bodyAt + length) return;
      const cookie = /^set-cookie: *(.+)$/im.exec(head)?.[1];
      const { resolve } = current;
      current = undefined;
      const body = got.subarray(bodyAt, bodyAt + length);
      got = Buffer.alloc(0);
      resolve({ status, body, cookie });
      goOn();
    });
    const fail = (error: Error): void => {
      sockets.delete(socket);
      idle.delete(socket);
      current?.reject(error);
    };
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('the server has closed the connection')));
    goOn();
  }

  return {
    /** Sends a request: a text as JSON, bytes unchanged and without a copy. */
    ask(method: string, path: string, headers: Record<string, string>, body: string | readonly Uint8Array[] = []): Promise<PhoneAnswer> {
      return new Promise((resolve, reject) => {
        const pieces = typeof body === 'string' ? [Buffer.from(body)] : body;
        const lines = Object.entries({
          host,
          'sec-fetch-site': 'same-origin',
          ...headers,
          ...(typeof body === 'string' && { 'content-type': 'application/json' }),
          ...(pieces.length > 0 && { 'content-length': String(pieces.reduce((sum, { length }) => sum + length, 0)) }),
        }).map(([name, value]) => `${name}: ${value}\r\n`);
        const asked = { bytes: [`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, ...pieces], resolve, reject };
        const [free] = idle.values();
        if (free) return free(asked);
        waiting.push(asked);
        if (sockets.size < connections) open();
      });
    },
    close(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}
export type Phone = ReturnType<typeof createPhone>;
