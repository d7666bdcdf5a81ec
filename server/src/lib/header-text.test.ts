import { describe, expect, it } from 'vitest';
import { decodeHeaderText } from './header-text.ts';

describe('text in headers', () => {
  it('is read percent-encoded, raw in Latin-1 and raw in UTF-8', () => {
    expect(decodeHeaderText(encodeURIComponent('Größe 🎉 100 %'))).toBe('Größe 🎉 100 %');
    expect(decodeHeaderText(Buffer.from('Größe', 'latin1').toString('latin1'))).toBe('Größe');
    expect(decodeHeaderText(Buffer.from('Größe', 'utf8').toString('latin1'))).toBe('Größe');
  });

  it('stays as it is where it only seems encoded', () => {
    expect(decodeHeaderText('100% sicher')).toBe('100% sicher');
  });

  it('is NFC', () => {
    expect(decodeHeaderText(encodeURIComponent('Gru\u0308n'))).toBe('Grün');
  });
});
