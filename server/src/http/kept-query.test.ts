import { describe, expect, it } from 'vitest';
import { keeping, keptFields } from './kept-query.ts';

const field = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${value}"/>`;

describe('what the forms for other languages keep of the address', () => {
  it("is what guests' pages read, once each, and nothing of most addresses", () => {
    for (const url of [
      '/join',
      '/join?',
      '/event/AAAAAAAA?lang=tr',
      '/event/AAAAAAAA?fbclid=abc&utm_source=chat',
      '/event/AAAAAAAA?password=',
    ])
      expect(keptFields(url), url).toBe('');
    expect(keptFields('/securejoin?lang=tr&code=AAAAAAAA')).toBe(field('code', 'AAAAAAAA'));
    expect(keptFields('/galerie/AAAAAAAA?foto=7&password=a+b%2B?&password=c&foto=8')).toBe(field('password', 'a b+?') + field('foto', '7'));
  });

  it('is text, whatever it says, and nothing that is too long', () => {
    const bad = `"><script>alert(1)</script>'&amp;$&`;
    expect(keptFields(`/event/A?password=${encodeURIComponent(bad)}`)).toBe(
      field('password', '&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#39;&#38;amp;$&#38;'),
    );
    expect(keptFields('/event/A?password=%FF%')).toBe(field('password', '\uFFFD%'));
    expect(keptFields(`/event/A?password=${'a'.repeat(128)}`)).toContain('aaa');
    expect(keptFields(`/event/A?password=${'a'.repeat(129)}&foto=1`)).toBe(field('foto', '1'));
  });

  it('stands in each of these forms, and in no other', () => {
    const html =
      '<form class="offer" method="get"><button/></form><form method="dialog"><input/></form><form class="languages" method="get">$</form>';
    expect(keeping(html, "$&<i/>$'")).toBe(
      `<form class="offer" method="get">$&<i/>$'<button/></form><form method="dialog"><input/></form><form class="languages" method="get">$&<i/>$'$</form>`,
    );
  });
});
