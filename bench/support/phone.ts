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
  bytes: string;
  resolve(answer: PhoneAnswer): void;
  reject(error: Error): void;
}

/**
 * A phone's connections to a server: HTTP/1.1 with as little work as it takes, because phones do not work on the server's cores. Answers
 * have a Content-Length here.
 */
export function createPhone(url: string) {
  const { hostname, port, host } = new URL(url);
  const waiting: Asked[] = [];
  const sockets = new Set<Socket>();
  const idle: ((asked: Asked) => void)[] = [];

  function open(): void {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    sockets.add(socket);
    let current: Asked | undefined;
    let got: Buffer = Buffer.alloc(0);
    const take = (asked: Asked): void => {
      current = asked;
      socket.write(asked.bytes);
    };
    socket.on('data', (piece: Buffer) => {
      got = got.length === 0 ? piece : Buffer.concat([got, piece]);
      const end = got.indexOf(HEAD_END);
      if (end < 0 || !current) return;
      const head = got.toString('latin1', 0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? Number.NaN);
      if (Number.isNaN(length)) return void socket.destroy(new Error(`an answer without a length: ${head}`));
      const bodyAt = end + HEAD_END.length;
      if (got.length < bodyAt + length) return;
      const cookie = /^set-cookie: *(.+)$/im.exec(head)?.[1];
      const { resolve } = current;
      current = undefined;
      const body = got.subarray(bodyAt, bodyAt + length);
      got = Buffer.alloc(0);
      resolve({ status: Number(head.slice(9, 12)), body, cookie });
      const next = waiting.shift();
      if (next) take(next);
      else idle.push(take);
    });
    const fail = (error: Error): void => current?.reject(error);
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('the server has closed the connection')));
    const first = waiting.shift();
    if (first) take(first);
    else idle.push(take);
  }

  return {
    ask(method: string, path: string, headers: Record<string, string>, body = ''): Promise<PhoneAnswer> {
      return new Promise((resolve, reject) => {
        const lines = Object.entries({
          host,
          'sec-fetch-site': 'same-origin',
          ...headers,
          ...(body !== '' && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
        }).map(([name, value]) => `${name}: ${value}\r\n`);
        const asked = { bytes: `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, resolve, reject };
        const free = idle.pop();
        if (free) return free(asked);
        waiting.push(asked);
        if (sockets.size < CONNECTIONS) open();
      });
    },
    close(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}
