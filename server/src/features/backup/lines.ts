import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** Characters that are collected for one write. */
const BUFFER_CHARS = 256 * 1024;

export interface Summed {
  lines: number;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Writes a file of JSON lines durably; `fill` gets the function that adds a line. Returns size and checksum of the file. */
export async function writeLines(path: string, fill: (add: (line: unknown) => Promise<void>) => Promise<void>): Promise<Summed> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let waiting = '';
  let lines = 0;
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const piece = Buffer.from(waiting);
    waiting = '';
    hash.update(piece);
    bytes += piece.length;
    await file.writeFile(piece);
  };
  try {
    await fill(async (line) => {
      waiting += `${JSON.stringify(line)}\n`;
      lines += 1;
      if (waiting.length >= BUFFER_CHARS) await flush();
    });
    await flush();
    await file.sync();
  } finally {
    await file.close();
  }
  return { lines, bytes, sha256: hash.digest('hex') };
}

/** The lines of a file, parsed. */
export async function* readLines(path: string): AsyncGenerator<unknown> {
  const file = await open(path, 'r');
  try {
    for await (const line of file.readLines()) yield JSON.parse(line);
  } finally {
    await file.close();
  }
}

/** Whether a file still has the size and checksum with which it was written. */
export async function isWhole(path: string, { bytes, sha256 }: Pick<Summed, 'bytes' | 'sha256'>): Promise<boolean> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'r').catch(() => null);
  if (!file) return false;
  for await (const piece of file.createReadStream() as AsyncIterable<Buffer>) {
    hash.update(piece);
    size += piece.length;
  }
  return size === bytes && hash.digest('hex') === sha256;
}
