import { open } from 'node:fs/promises';
import { measure } from './copy.ts';

/** Characters that are collected for one write. */
const BUFFER_CHARS = 256 * 1024;

export interface Summed {
  lines: number;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Writes a file of JSON lines durably. Returns size and checksum of the file. */
export async function writeLines(path: string, source: AsyncIterable<unknown>): Promise<Summed> {
  const file = await open(path, 'wx', 0o600);
  let lines = 0;
  async function* pieces(): AsyncGenerator<Buffer> {
    let waiting = '';
    for await (const line of source) {
      waiting += `${JSON.stringify(line)}\n`;
      lines += 1;
      if (waiting.length < BUFFER_CHARS) continue;
      yield Buffer.from(waiting);
      waiting = '';
    }
    yield Buffer.from(waiting);
  }
  try {
    const { size, sha256 } = await measure(pieces(), (through) => file.writeFile(through));
    await file.sync();
    return { lines, bytes: size, sha256 };
  } finally {
    await file.close();
  }
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
  const file = await open(path, 'r').catch(() => null);
  if (!file) return false;
  const found = await measure(file.createReadStream() as AsyncIterable<Buffer>);
  return found.size === bytes && found.sha256 === sha256;
}
