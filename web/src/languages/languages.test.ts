import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '@feierbild/contract/contract.ts';
import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { LANGUAGES } from '@feierbild/contract/languages.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { speak } from '../texts/speech.ts';
import { FOREIGN } from './foreign.ts';
import { GERMAN, sayAll } from './testing.ts';

const languages = Object.entries(FOREIGN);
const german = sayAll(GERMAN);
/** Calls for a photo's file, and those of their refusals that have sentences of a page, pass by, or meet programs only. */
const FILES = ['GET /api/photos/:id/download', 'GET /api/photos/:id/video', 'GET /api/photos/temp_download/:token'] as const;
const OTHERS: ReadonlySet<ErrorCode> = new Set([
  'gallery_closed',
  'link_invalid',
  'link_expired',
  'unavailable',
  'range_unsatisfiable',
  'token_invalid',
  'token_scope',
]);
/** Names of formats, and words that are the same in another language. */
const SAME = /^(Event|HEIC|[\W\d]*|Status \d+|.*IMG_1.*|Upload.*|Passwort)$/;

afterEach(() => speak({}));

it('each language of the list is a folder, and each folder is in the list', () => {
  expect(['de', ...Object.keys(FOREIGN)].sort()).toEqual(Object.keys(LANGUAGES).sort());
  for (const [language] of languages)
    for (const entry of ['guest', 'guest-gallery', 'main'])
      expect(existsSync(join(import.meta.dirname, language, `${entry}.ts`))).toBe(true);
});

describe.each(languages)('%s', (language, { texts, document, card }) => {
  const all = (): Record<string, string> => {
    speak(texts);
    const { locale: __, ...said } = texts;
    return sayAll({ ...said, document, card });
  };

  it('says no German, and keeps names and numbers', () => {
    const said = all();
    for (const [key, text] of Object.entries(said)) {
      expect.soft(text, key).not.toMatch(/#|undefined|\$\{|\[object|ß/);
      if (text !== '' && text === german[key] && !SAME.test(text)) expect.soft(text, `${key} is German`).toBe('');
      for (const name of ['IMG_1.jpg', 'Ayşe', 'Instagram', '1a2b', '…'])
        if (key.includes(`"${name}"`)) expect.soft(text, key).toContain(name === '…' ? '' : name);
    }
    // Fixed numbers in sentences (days, sizes, lengths) stay the same.
    for (const [key, text] of Object.entries(german))
      if (!key.includes('(')) expect.soft(numbersIn(said[key] ?? ''), key).toEqual(numbersIn(text));
    for (const form of ['guest.bar.consent(false)', 'guest.bar.consent(true)']) expect(said[form]).toMatch(/^[^[\]]*\[[^[\]]+\][^[\]]*$/);
  });

  it('says why a file is not handed out', () => {
    const refusals = FILES.flatMap((name): readonly ErrorCode[] => contract[name].errors).filter((code) => !OTHERS.has(code));
    expect(Object.keys(texts.errors)).toEqual(expect.arrayContaining(refusals));
  });

  it('is what was given to a second person to be translated back', () => {
    const file = join(import.meta.dirname, language, 'strings.json');
    if (process.env.UPDATE_STRINGS) writeFileSync(file, `${JSON.stringify(all(), null, 2)}\n`);
    // Changed strings have to be translated back again, by somebody who has not seen the German.
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(all());
  });

  const back = join(import.meta.dirname, language, 'back.json');
  it('was translated back, each of its strings', () => {
    const strings = JSON.parse(readFileSync(back, 'utf8')) as Record<string, string>;
    const said = all();
    expect(Object.keys(strings)).toEqual(Object.keys(said));
    for (const [key, text] of Object.entries(strings)) expect.soft(text === '', key).toBe(said[key] === '');
  });
});

const numbersIn = (text: string): string[] => text.match(/\d+/g) ?? [];
