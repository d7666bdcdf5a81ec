import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_NAMES } from '@feierbild/contract/languages.ts';
import { PAPERS, type PaperName } from '@feierbild/contract/paper-names.ts';
import { expect, it } from 'vitest';
import { CHECKS, PROVEN } from './checks.ts';
import { loadPapers } from './load-papers.ts';
import { typeset } from './typeset.ts';
import { CONDITIONS, VALUES } from './vocabulary.ts';

const FOLDER = join(import.meta.dirname, 'papers');
const NAMES = Object.keys(PAPERS) as PaperName[];
const fileOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
/** Loads the papers with a text of one file replaced. */
const changed = (file: string, before: string, after: string) => {
  const text = fileOf(file);
  expect(text.split(before).length).toBeGreaterThan(1);
  return () => loadPapers((name) => (name === file ? text.replace(before, () => after) : fileOf(name)));
};

it('the papers load, and every file, check, placeholder and condition has its place in them', () => {
  const papers = loadPapers();
  const sections = NAMES.flatMap((name) => papers.paper(name));
  const sentences = sections.flatMap((section) => section.sentences);
  const inBraces = sentences.flatMap(({ text }) => [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name));
  const named = [...sections, ...sentences].flatMap(({ only }) => only ?? []);
  const given = Object.values(CONDITIONS).flatMap(({ gives = [] }) => gives);
  const sorted = (names: Iterable<unknown>): unknown[] => [...new Set(names)].toSorted();
  expect(sorted(sentences.flatMap(({ checks }) => checks))).toEqual(sorted([...Object.keys(CHECKS), ...Object.keys(PROVEN)]));
  expect(sorted(inBraces)).toEqual(sorted([...Object.keys(VALUES), ...given]));
  expect(sorted(named)).toEqual(sorted(Object.keys(CONDITIONS)));
  const translations = LANGUAGE_NAMES.filter((language) => language !== 'de').map((language) => `aushang.${language}.md`);
  expect(sorted(readdirSync(FOLDER))).toEqual(sorted([...NAMES.map((name) => `${name}.md`), ...translations, 'bausteine.md']));
});

it('the notice at the door names no place of the photos, which may lie in a bucket of another company', () => {
  const places = /\bServer\b|\bserver\b|serwer|сервер|sunucu|الخادم/;
  for (const language of LANGUAGE_NAMES) {
    const sentences = loadPapers()
      .paper('aushang', language)
      .flatMap((section) => section.sentences);
    expect(sentences.filter(({ checks }) => checks.includes('sealing')).map(({ text }) => places.test(text))).toEqual([false]);
  }
});

it('the register says flatly that nothing goes to third countries only where the checks know each recipient', () => {
  const flat = loadPapers()
    .paper('verzeichnis')
    .filter(({ sentences }) => sentences.some(({ text }) => text === 'Übermittlung in Drittländer: keine.'));
  for (const { sentences } of flat) {
    const recipients = sentences.filter(({ text }) => text.startsWith('Empfänger: '));
    expect(recipients.map(({ text }) => /Programm|Postfach/.test(text))).toEqual([false]);
  }
  expect(flat.length).toBeGreaterThan(0);
});

it('the guide for lawyers explains each check, placeholder and condition', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/papiere.md'), 'utf8').replaceAll('\u2011', '-');
  const titles = [...Object.values(CHECKS).map(({ title }) => title.replaceAll('\u2011', '-')), ...Object.values(PROVEN)];
  const names = [...titles.map((title) => `| ${title} |`), ...Object.keys(VALUES).map((name) => `{${name}}`), ...Object.keys(CONDITIONS)];
  expect(names.filter((name) => !guide.includes(name))).toEqual([]);
});

const TERMS = 'Begriffe haben die Bedeutung, die ihnen die DSGVO gibt.';
const NOTE = '> Quelle: Art. 4 DSGVO';

it.each([
  ['Prüfungen: Ansprechperson', 'Prüfungen: Ansprache', 'Die Prüfung „Ansprache“ gibt es nicht.'],
  ['{Marke}', '{Firmenname}', 'Den Platzhalter „{Firmenname}“ gibt es nicht.'],
  // This placeholder is allowed only in sentences about each service.
  ['{Marke}', '{Leistung}', 'Den Platzhalter „{Leistung}“ gibt es nicht.'],
  ['{Marke}', '{Marke', 'Eine geschweifte Klammer hat keine zweite.'],
  ['Nur: mit eigenem Server', 'Nur: mit gemietetem Server', 'Die Bedingung „mit gemietetem Server“ gibt es nicht.'],
  [NOTE, '', 'Die Quelle fehlt.'],
  ['Prüfungen: Betriebsdaten', 'Quelle: DSGVO', 'Eine Prüfung fehlt.'],
  [NOTE, '> Fundstelle: Art. 4 DSGVO', '„Fundstelle: Art. 4 DSGVO“ ist keine Angabe; es gibt Quelle, Prüfungen, Nur.'],
  [NOTE, `${NOTE} · Quelle: Art. 5 DSGVO`, '„Quelle“ steht zweimal da.'],
  [NOTE, `${NOTE}\n\n> Nur: mit eigenem Server`, 'Diese Zeile mit „>“ gehört zu keinem Satz.'],
  [`${TERMS}\n\n${NOTE}`, '', 'Unter der Überschrift steht kein Satz.'],
  [`${TERMS}\n\n${NOTE}`, `${NOTE}\n\n${TERMS}`, 'Unter einer Überschrift steht höchstens „Nur“.'],
  ['## Klausel 1 Zweck und Anwendungsbereich', '', 'Davor fehlt eine Überschrift („## …“).'],
  [TERMS, `- ${TERMS}`, 'Listen, Tabellen und andere Überschriften gibt es hier nicht.'],
])('a paper does not load where „%s“ became „%s“', (before, after, fault) => {
  expect(changed('avv.md', before, after)).toThrow(fault);
});

it.each([
  ['a sentence too few', ['\n\nIn backups', ' In backups'], 'Das sind 12 Sätze, die deutschen sind 13.'],
  ['other periods', ['{Tage für Fotos}', '{Tage für Sicherungen}'], 'Die Platzhalter sind nicht die von'],
  ['sources of its own', ['In backups', '> Quelle: GDPR\n\nIn backups'], 'Quellen und Prüfungen stehen beim deutschen Satz.'],
] as [string, [string, string], string][])('a translation does not load with %s', (_what, [before, after], fault) => {
  expect(changed('aushang.en.md', before, after)).toThrow(fault);
});

it('a sentence may be wrapped, its note may stand below it, and lines may end as on Windows', () => {
  const wrapped = changed('avv.md', `${TERMS}\n\n${NOTE}`, `Begriffe haben die Bedeutung,\r\ndie ihnen die DSGVO gibt.\r\n${NOTE}\r\n`);
  expect(wrapped().paper('avv')).toEqual(loadPapers().paper('avv'));
});

it('papers are set as German typesetters do', () => {
  expect(typeset('Art. 28 Abs. 3 DSGVO, § 14 BFSG, 30 Tage, E-Mail')).toBe(
    'Art.\u00a028 Abs.\u00a03 DSGVO, §\u00a014 BFSG, 30\u00a0Tage, E\u2011Mail',
  );
});
