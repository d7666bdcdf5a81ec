import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import { engines, type Engine } from '../../../../database/testing.ts';
import type { Decoder } from '../../../../images/decoder.ts';
import type { BlobStore } from '../../../../storage/blob-store.ts';
import { newDevice, openApp, type TestApp } from '../../../testing.ts';
import { useDecoder } from '../../../testing/use-decoder.ts';

/** Slow senders make room after a tenth of this, which is longer than any of these tests: no taken slot is lost. */
const STALL_MS = 1_800_000;
/** Uploads at the same time, of which one event has two thirds, the next one two thirds of the rest, and so on. */
export const AT_ONCE = 48;
/** The beginning of a file. */
export const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc';

interface Beginning {
  code?: string;
  device?: string;
  body?: string | Buffer;
  length?: number;
}
interface Opening {
  atOnce?: number;
  stallMs?: number;
  decoder?: Decoder;
  wrapStore?: (store: BlobStore) => BlobStore;
}

/** For tests: opens a service with few slots before each test, and begins uploads, whose connections end after it. */
export function slotsOf(onOpen: (app: TestApp) => void) {
  const engine = engines()[0] as Engine;
  const decoder = useDecoder([engine]);
  const sockets: Socket[] = [];
  let app: TestApp;

  async function open(options: Opening = {}): Promise<void> {
    app = await openApp({ db: await engine.open(), decoder, stallMs: STALL_MS, atOnce: AT_ONCE, ...options });
    onOpen(app);
  }
  /** Opens the service anew, with other options. */
  async function reopen(options: Opening): Promise<void> {
    await app.close();
    await open(options);
  }
  beforeEach(() => open());
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });

  /** Begins an upload, by default with a file. */
  function begin({ code, device = newDevice(), body = FILE, length = 4_000_000 }: Beginning): Socket {
    const socket = connect(app.port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      `POST /upload HTTP/1.1\r\nHost: x\r\nDevice-Id: ${device}\r\n${code ? `Event-Code: ${code}\r\n` : ''}` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`,
    );
    socket.write(body);
    sockets.push(socket);
    return socket;
  }

  return {
    sockets,
    reopen,
    begin,
    beginMany: (count: number, upload: Beginning) => Array.from({ length: count }, () => begin(upload)),
    staged: async () => (await app.leftovers()).staged.length,
  };
}
