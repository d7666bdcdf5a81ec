import { describe, expect, it } from 'vitest';
import { isSpokenPage, languageFor } from './languages.ts';

describe("the language of a guest's phone", () => {
  it.each([
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['tr-TR,tr;q=0.9,en-US;q=0.8,en;q=0.7', 'tr'],
    ['en;q=0.5, uk;q=0.9', 'uk'],
    ['AR', 'ar'],
    // A language that we lack counts only if none of ours follows it.
    ['fr-FR,fr;q=0.9,de;q=0.5', 'de'],
    ['ku,tr;q=0.9,de;q=0.8', 'tr'],
    ['fr-FR,fr;q=0.9,en;q=0.8,de;q=0.7', 'en'],
    ['fr-FR,fr;q=0.9', 'en'],
    ['pl;q=0,ru', 'ru'],
    // POSIX notation.
    ['en_US', 'en'],
    ['pl_PL.UTF-8', 'pl'],
    ['uk.utf8, de;q=0.5', 'uk'],
    ['ru@cyrillic', 'ru'],
    ['C.UTF-8', null],
    ['*', null],
    ['', null],
    ['constructor', null],
    [';q=', null],
  ])('is for %j: %s', (accepted, language) => {
    expect(languageFor(accepted)).toBe(language);
  });
});

it('is spoken on the pages of guests alone', () => {
  for (const path of ['/join', '/event/ABCD1234', '/galerie/ABCD1234', '/freigabe/ABCD1234', '/datenschutz'])
    expect(isSpokenPage(path)).toBe(true);
  for (const path of ['/', '/login', '/manage/ABCD1234', '/gallery/ABCD1234', '/events', '/admin', '/agb'])
    expect(isSpokenPage(path)).toBe(false);
});
