import { describe, expect, it } from 'vitest';
import type { Bytes } from '../lib/bytes.ts';
import { free, handOver } from '../lib/buffer-handover.ts';
import { readForm } from './form.ts';

const TYPE = 'multipart/form-data; charset=utf-8; boundary="grenze-1"';

/** Cuts bytes into pieces of one length, each in a buffer of its own that may be freed. */
async function* cut(bytes: Buffer, length: number): AsyncGenerator<Bytes> {
  for (let at = 0; at < bytes.length; at += length) yield handOver(new Uint8Array(bytes.subarray(at, at + length)));
}

/** Reads the parts, freeing each piece after use. */
async function read(body: string | Buffer, length = 1000, type = TYPE) {
  const parts: { name: string; filename: string | null; text: string }[] = [];
  for await (const { name, filename, bytes } of readForm(type, cut(Buffer.from(body), length))) {
    const pieces: Buffer[] = [];
    for await (const piece of bytes) {
      pieces.push(Buffer.from(piece));
      free(piece);
    }
    parts.push({ name, filename, text: Buffer.concat(pieces).toString('latin1') });
  }
  return parts;
}

const part = (disposition: string, text: string, more = ''): string =>
  `--grenze-1\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${text}\r\n`;
const END = '--grenze-1--\r\n';
const refused = (code: string) => expect.objectContaining({ code });

describe('a form', () => {
  it('is the same in pieces of every length, though its file looks like its delimiters', async () => {
    const text = '\r\n--grenze-\r\r\n\r\n--grenze-2\r\n--\r\n\r--grenze-1 \r';
    const form = `davor\r\n${part('name="file"; filename="Grün.jpg"', text)}${part('name="eventCode"', '')}${part('name=deviceName', 'Anna')}${END}danach`;
    const parts = [
      { name: 'file', filename: 'Grün.jpg', text },
      { name: 'eventCode', filename: null, text: '' },
      { name: 'deviceName', filename: null, text: 'Anna' },
    ];
    for (let length = 1; length <= form.length; length++) expect(await read(form, length), `pieces of ${length}`).toEqual(parts);
  });

  it('names its files as its senders write it', async () => {
    const nameOf = async (disposition: string, more?: string) => (await read(part(disposition, 'x', more) + END))[0]?.filename;
    expect(await nameOf('name="file"; filename="a; name=b \\"c\\".jpg"')).toBe('a; name=b "c".jpg');
    expect(await nameOf('filename=a.jpg; name=file')).toBe('a.jpg');
    expect(await nameOf(`name="file"; filename="a.jpg"; filename*=UTF-8''Gr%C3%BCn.jpg`)).toBe('Grün.jpg');
    expect(await nameOf(`name="file"; filename="a.jpg"; filename*=UTF-8''%zz`)).toBe('%zz');
    // Browsers escape these three alone (WHATWG, „multipart/form-data encoding algorithm“).
    expect(await nameOf('name="file"; filename="5%22 Foto 100%25%0D%0A%0a.jpg"')).toBe('5" Foto 100%25\r\n\n.jpg');
    expect(await nameOf('filename="a\u2028b\u2029\u0085c.jpg"; name="file"')).toBe('a\u2028b\u2029\u0085c.jpg');
    const old = Buffer.from(part('name="file"; filename="Gr\xfcn \x80.jpg"', 'x') + END, 'latin1');
    expect((await read(old))[0]?.filename).toBe('Grün €.jpg');
    // RFC 5987, the predecessor of RFC 8187, required Latin-1 of readers, and some programs write nothing else.
    expect(await nameOf(`name="file"; filename*=ISO-8859-1'de'Gr%FCn.jpg`)).toBe('Grün.jpg');
    expect(await nameOf(`name="file"; filename*=windows-1251''%D4%EE%F2%EE.jpg`)).toBe('Фото.jpg');
    expect(await nameOf(`name="file"; filename*=nichts''Gr%FCn.jpg`)).toBe('Grün.jpg');
    expect(await nameOf(`name="file"; filename*=Fest.jpg`)).toBe('Fest.jpg');
    expect(await nameOf('name="file"', 'Content-Type: application/octet-stream\r\n')).toBe('');
    for (const type of ['image/jpeg', 'video/mp4']) expect(await nameOf('name="file"', `Content-Type: ${type}\r\n`)).toBe('');
    expect(await nameOf('name="file"', 'Content-Type: text/plain\r\n')).toBeNull();
  });

  it('reads the head of a part whose lines are folded, as libraries for mail write it', async () => {
    const folded = part('name="file";\r\n filename="IMG_0001.jpg"', 'x', 'Content-Type: image/jpeg;\r\n\tname="IMG_0001.jpg"\r\n');
    expect(await read(folded + END)).toEqual([{ name: 'file', filename: 'IMG_0001.jpg', text: 'x' }]);
  });

  it('passes over what its reader leaves of a part', async () => {
    const names: string[] = [];
    for await (const { name, bytes } of readForm(
      TYPE,
      cut(Buffer.from(part('name="a"', 'x'.repeat(50)) + part('name="b"', 'y') + END), 8),
    )) {
      names.push(name);
      if (name === 'a') for await (const _ of bytes) break;
    }
    expect(names).toEqual(['a', 'b']);
  });

  it('is incomplete without its last delimiter, and of no parts without a byte', async () => {
    const form = part('name="a"', 'x') + END;
    for (let length = 1; length < form.length - 2; length++)
      await expect(read(form.slice(0, length))).rejects.toEqual(refused('upload_incomplete'));
    expect(await read(form.slice(0, -2))).toHaveLength(1);
    expect(await read('')).toEqual([]);
  });

  it('is refused without a boundary or carriage returns, with a long head and with many parts', async () => {
    await expect(read(END, 10, 'multipart/form-data')).rejects.toEqual(refused('invalid_input'));
    await expect(read(part('name="a"', 'x', `X: ${'y'.repeat(9000)}\r\n`) + END)).rejects.toEqual(refused('invalid_input'));
    await expect(read(part('name="a"', 'x').repeat(10) + END)).rejects.toEqual(refused('invalid_input'));
    await expect(read((part('name="a"', 'x') + END).replaceAll('\r', ''))).rejects.toEqual(refused('invalid_input'));
    const slow = performance.now();
    await expect(read(part(`name="${'\\'.repeat(8000)}`, 'x') + END)).resolves.toHaveLength(1);
    expect(performance.now() - slow).toBeLessThan(1000);
  });
});
