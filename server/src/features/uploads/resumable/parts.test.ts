import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Bytes } from '../../../lib/bytes.ts';
import { Refusal } from '../../../lib/errors.ts';
import { collect, single } from '../../../lib/stages.ts';
import { createQuickVault } from '../../../vault/testing/quick-vault.ts';
import { pattern, reader } from '../../../vault/testing/bytes.ts';
import { cutIntoParts } from './parts.ts';

/** Streams pieces of these sizes, and then ends or breaks off. */
async function* stream(sizes: number[], error?: Error): AsyncGenerator<Bytes> {
  const content = pattern(sum(sizes));
  let at = 0;
  for (const size of sizes) yield content.subarray(at, (at += size));
  if (error) throw error;
}
const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0);
const sizes = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 30 });
const broken = (): Error => new Refusal('upload_incomplete');

async function allParts(source: AsyncIterable<Bytes>, bytes: number) {
  const stream = cutIntoParts(source, bytes);
  const found: Buffer[] = [];
  while (await stream.more()) found.push(Buffer.from(await collect(stream.next())));
  return { found, error: stream.last().error };
}

describe('a stream in parts', () => {
  it('has the same bytes in full parts and one that is not, however it comes and whether or not it breaks off', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 1000 }), fc.boolean(), async (pieces, bytes, breaks) => {
        const error = breaks ? broken() : undefined;
        const { found, error: thrown } = await allParts(stream(pieces, error), bytes);
        expect(Buffer.concat(found)).toEqual(pattern(sum(pieces)));
        expect(thrown).toBe(error);
        expect(found.slice(0, -1).every(({ length }) => length === bytes)).toBe(true);
        expect(found.every(({ length }) => length > 0 && length <= bytes)).toBe(true);
      }),
    );
  });

  it('closes its source, read to its end or not', async () => {
    let closed = false;
    const source = (async function* () {
      try {
        yield* stream([10, 10]);
      } finally {
        closed = true;
      }
    })();
    const parts = cutIntoParts(source, 5);
    expect(await collect(parts.next())).toHaveLength(5);
    await parts.close();
    expect(closed).toBe(true);
  });

  afterEach(() => void vi.useRealTimers());

  it('is cut earlier where its sender is slow: after 3 s, if that is 512 KiB at least', async () => {
    const MIB = 1024 * 1024;
    async function* slow(): AsyncGenerator<Bytes> {
      for (let n = 0; n < 12; n++) {
        vi.advanceTimersByTime(1000);
        yield pattern(MIB / 4);
      }
    }
    vi.useFakeTimers({ toFake: ['performance'] });
    const { found } = await allParts(slow(), 8 * MIB);
    expect(found.map(({ length }) => length)).toEqual([MIB, MIB, MIB]);
  });

  it('makes parts that open to the file, with any breaks between them', async () => {
    const vault = createQuickVault();
    const key = vault.createPhotoKey();
    const partSizes = fc.array(fc.integer({ min: 1, max: 600_000 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(partSizes, async (lengths) => {
        const file = pattern(sum(lengths));
        let at = 0;
        const opened: Bytes[] = [];
        for (const [n, length] of lengths.entries()) {
          const part = { eventId: 'e', photoId: 'u', variant: `part-${n}` };
          const piece = file.subarray(at, (at += length));
          const sealed = await collect(vault.sealBlob(key, part, cutIntoParts(single(piece)).next()));
          expect(sealed).toHaveLength(vault.sealedSize(length));
          opened.push(await collect(vault.openBlob(key, part, length, reader(sealed))));
          // No part opens in the place of another.
          const other = { ...part, variant: `part-${n + 1}` };
          await expect(collect(vault.openBlob(key, other, length, reader(sealed)))).rejects.toThrow();
        }
        expect(Buffer.concat(opened).equals(file)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
