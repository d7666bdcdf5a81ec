import { describe, expect, it } from 'vitest';
import { typedText } from './typed-text.ts';

describe('a typed text', () => {
  it('is one line, with single spaces where lines ended', () => {
    const line = typedText(200);
    expect(line.parse(' Anna \r\n\r\n & \u2028Ben\u0085\t\u0085und  wir ')).toBe('Anna & Ben und  wir');
    expect(typedText(200, { lines: true }).parse(' Anna\r\n& Ben ')).toBe('Anna\r\n& Ben');
  });

  // Strangers send such texts, too: login names, or reports of photos.
  it.each([' ', '\t', '\u3000', '\n', ' \n', '\u0085'])('costs as little as it is long, of %j, too', (filler) => {
    const began = performance.now();
    for (const lines of [true, false]) typedText(100, { lines }).safeParse(`x${filler.repeat(40_000)}x`);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
