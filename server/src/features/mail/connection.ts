import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Most bytes that a mail server may send in a conversation, its certificates included. */
const MAX_HEARD_BYTES = 64 * 1024;
/** Time for each address of a name before the next one is tried. */
const ADDRESS_MS = 3000;

export interface Connection {
  stream: Socket;
  /** Lifts the limit of silence: the other side has the mail and examines it. */
  awaitVerdict(): void;
}

/**
 * Connects to a mail server. Breaks the connection after a silence, and if the server sends too much: nodemailer limits a single reply, but
 * not blank lines, which pass through its queue one by one. The system resolves `localhost` by this machine's own files, not by DNS.
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

/** A socket that reads at most MAX_HEARD_BYTES. Also has the methods of a socket that nodemailer calls beside a stream's. */
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

  /** Does nothing: the inner socket measures the silence, including that of TLS's own messages. */
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

  /** Closes last, so that the end of the TLS above it is sent first. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#socket.closed) return done(error);
    this.#socket.once('close', () => done(error));
    this.#socket.destroy();
  }
}
