import { EVENT_CODE_ALPHABET } from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import { isUuid, randomCode, randomToken, uuidv7 } from './ids.ts';

describe('ids', () => {
  it('grow within one millisecond and when the clock goes back', () => {
    const ids = Array.from({ length: 5000 }, (_, n) => uuidv7(1_790_000_000_000 - (n % 3)));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every(isUuid)).toBe(true);
  });

  it('carry their instant', () => {
    const later = 4_000_000_000_000;
    expect(Number.parseInt(uuidv7(later).replace('-', '').slice(0, 12), 16)).toBe(later);
  });

  it('draw codes of the alphabet only, and every letter of it', () => {
    const drawn = randomCode(20_000);
    expect(new Set(drawn)).toEqual(new Set(EVENT_CODE_ALPHABET));
  });

  it('draw tokens of 256 bits', () => {
    expect(Buffer.from(randomToken(), 'base64url')).toHaveLength(32);
  });
});
