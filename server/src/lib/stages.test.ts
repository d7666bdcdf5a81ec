import { describe, expect, it } from 'vitest';
import { collect, createDigest, single } from './stages.ts';

describe('stages', () => {
  it('passes bytes on unchanged and knows their size, SHA-256 and CRC-32 afterwards', async () => {
    const digest = createDigest();
    async function* pieces() {
      yield Buffer.from('1234');
      yield Buffer.from('');
      yield Buffer.from('56789');
    }
    expect(Buffer.from(await collect(digest.through(pieces()))).toString()).toBe('123456789');
    const { size, sha256, crc32 } = digest.result();
    expect(size).toBe(9);
    // The check values of both algorithms for "123456789".
    expect(Buffer.from(sha256).toString('hex')).toBe('15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225');
    expect(crc32).toBe(0xcbf43926);
  });

  it('keeps the CRC-32 unsigned', async () => {
    const digest = createDigest();
    await collect(digest.through(single(Buffer.from('a'))));
    expect(digest.result().crc32).toBe(0xe8b7be43);
  });
});
