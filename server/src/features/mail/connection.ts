import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Most that a mail server says in a conversation, its certificates included. */
const MAX_HEARD_BYTES = 64 * 1024;
/** Of several addresses of a name, each is tried for so long before the next one. */
const ADDRESS_MS = 3000;

export interface Connection {
  stream: Socket;
  /** From now on the other side may be silent for longer: it has the mail, and looks at it. */
  awaitVerdict(): void;
}

/**
 * Connects to a mail server. The connection breaks after a silence, and where the other side says too much: nodemailer limits a single
 * reply, but blank lines are none, and go through its queue one by one. `localhost` is what this machine's own files say, not what a DNS does.
 */
export function openConnection(to: { host: string; port: number }, { connectMs, silentMs }: Limits): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  const socket = connect({ ...to, autoSelectFamilyAttemptTimeout: ADDRESS_MS });
  socket.setTimeout(connectMs);
  socket.on('timeout', () => socket.destroy(Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT' })));
  socket.once('error', reject);
  socket.once('connect', () => {
    socket.off('error', reject);
    socket.setTimeout(silentMs);
    const stream = new BoundedSocket(socket) as unknown as Socket;
    resolve({ stream, awaitVerdict: () => void socket.setTimeout(0) });
  });
  return promise;
}

interface Limits {
  /** Longest look-up of the name and connection together. */
  connectMs: number;
  /** Longest silence on either side. */
  silentMs: number;
}

/** A socket of which no more is read than that; what nodemailer asks of a socket beside a stream's is answered, too. */
class BoundedSocket extends Duplex {
  readonly #socket: Socket;
  #heard = 0;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on('data', (piece) => {
      this.#heard += piece.length;
      if (this.#heard > MAX_HEARD_BYTES) this.destroy(Object.assign(new Error('the mail server says too much'), { code: 'EPROTOCOL' }));
      else if (!this.push(piece)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => (this.readableEnded ? this.destroy() : this.once('end', () => this.destroy()).resume()));
  }

  /** The silence is counted below, for what TLS says among itself, too. */
  setTimeout(): this {
    return this;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(piece: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket.write(piece, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  /** It closes last: what TLS above it says of its end goes first. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#socket.closed) return done(error);
    this.#socket.once('close', () => done(error));
    this.#socket.destroy();
  }
}
