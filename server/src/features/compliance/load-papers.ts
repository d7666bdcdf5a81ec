import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_NAMES, type Language } from '@feierbild/contract/languages.ts';
import { PAPERS, type PaperName } from '@feierbild/contract/paper-names.ts';
import type { Known } from '../health/facts.ts';
import { CHECKS, PROVEN, type CheckId, type ProvenId } from './checks.ts';
import { paperFault, readPaperFile, type Draft, type Fields } from './paper-file.ts';
import { CONDITIONS, VALUES } from './vocabulary.ts';

/** A sentence of a paper, with placeholders. It is printed only if all of its checks hold. */
interface Sentence {
  text: string;
  source: string;
  checks: (CheckId | ProvenId)[];
  /** The condition under which the sentence applies; null if always. */
  only: string | null;
}

export interface Section {
  title: string;
  only: string | null;
  sentences: Sentence[];
}

/** A section for one installation, without the sentences that do not apply to it. Sentences whose checks may fail are included. */
interface SaidSection {
  title: string;
  sentences: Pick<Sentence, 'text' | 'source' | 'checks'>[];
}

const FOLDER = join(import.meta.dirname, 'papers');
const PLACEHOLDER = /\{([^{}]+)\}/g;
/** In a headline, the place of another paper's sections. */
const INCLUDED = /\{(\w+)\.md\}/;
/** The file of texts that several papers share, by their headlines. */
const PIECES = 'bausteine.md';

/** Checks by their titles, which the administration's pages show, too. */
const CHECK_NAMES = new Map(
  [...Object.entries(CHECKS).map(([id, { title }]) => [title, id]), ...Object.entries(PROVEN).map(([id, title]) => [title, id])].map(
    ([title, id]) => [title!.replaceAll('\u2011', '-'), id as CheckId | ProvenId],
  ),
);

/** Reads every paper, and the notice at the door in each language of guests. Throws for unknown names and missing sources. */
export function loadPapers(read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')) {
  const pieces = new Map(
    readPaperFile(PIECES, read(PIECES)).sections.map(({ title, sentences }) => [title, sentences.map(({ text }) => text).join(' ')]),
  );

  function load(file: string): Section[] {
    const { defaults, sections } = readPaperFile(file, read(file));
    return sections.flatMap(({ title, note, sentences }) => {
      const [, included] = INCLUDED.exec(title) ?? [];
      if (included) return load(`${included}.md`).map((section) => ({ ...section, title: title.replace(INCLUDED, () => section.title) }));
      if (sentences.length === 0) throw paperFault(file, title, 'Unter der Überschrift steht kein Satz.');
      if (note.Quelle ?? note.Prüfungen) throw paperFault(file, title, 'Unter einer Überschrift steht höchstens „Nur“.');
      return { title, only: conditionOf(file, title, note), sentences: sentences.map((one) => sentenceOf(file, one, defaults)) };
    });
  }

  function sentenceOf(file: string, { text, note }: Draft['sections'][number]['sentences'][number], defaults: Fields): Sentence {
    const whole = text.replaceAll(PLACEHOLDER, (placeholder, name: string) => pieces.get(name) ?? placeholder);
    const { Quelle: source, Prüfungen: names } = { ...defaults, ...note };
    const only = conditionOf(file, text, note);
    if (!source) throw paperFault(file, text, 'Die Quelle fehlt.');
    if (!names) throw paperFault(file, text, 'Eine Prüfung fehlt.');
    for (const name of placeholdersOf(file, whole))
      if (!(name in VALUES || (only && CONDITIONS[only]?.gives?.includes(name))))
        throw paperFault(file, text, `Den Platzhalter „{${name}}“ gibt es nicht.`);
    const checks = names.split(', ').map((name) => {
      const id = CHECK_NAMES.get(name);
      if (!id) throw paperFault(file, text, `Die Prüfung „${name}“ gibt es nicht.`);
      return id;
    });
    return { text: whole, source, checks, only };
  }

  /** Reads a translation, whose sentences are in the order of the German ones and take over their sources, checks and conditions. */
  function translate(file: string, german: Section[]): Section[] {
    const { defaults, sections } = readPaperFile(file, read(file));
    const sizes = (all: { sentences: unknown[] }[]): string => all.map(({ sentences }) => sentences.length).join(' + ');
    if (sizes(sections) !== sizes(german))
      throw paperFault(file, '', `Das sind ${sizes(sections)} Sätze, die deutschen sind ${sizes(german)}.`);
    const notes = [defaults, ...sections.flatMap(({ note, sentences }) => [note, ...sentences.map((one) => one.note)])];
    if (notes.some((note) => Object.keys(note).length > 0)) throw paperFault(file, '', 'Quellen und Prüfungen stehen beim deutschen Satz.');
    return german.map((section, n) => ({
      ...section,
      title: sections[n]!.title,
      sentences: section.sentences.map((one, k) => {
        const { text } = sections[n]!.sentences[k]!;
        if (placeholdersOf(file, text).toSorted().join() !== placeholdersOf(file, one.text).toSorted().join())
          throw paperFault(file, text, `Die Platzhalter sind nicht die von „${one.text}“.`);
        return { ...one, text };
      }),
    }));
  }

  const german = Object.fromEntries(Object.keys(PAPERS).map((name) => [name, load(`${name}.md`)])) as Record<PaperName, Section[]>;
  const notices = new Map(
    LANGUAGE_NAMES.map((language) => [language, language === 'de' ? german.aushang : translate(`aushang.${language}.md`, german.aushang)]),
  );
  return {
    /** Returns a paper. `language` applies to the notice at the door, the one paper that guests read. */
    paper: (name: PaperName, language: Language = 'de'): Section[] => (name === 'aushang' ? notices.get(language)! : german[name]),
  };
}

function conditionOf(file: string, place: string, { Nur: only }: Fields): string | null {
  if (only && !(only in CONDITIONS)) throw paperFault(file, place, `Die Bedingung „${only}“ gibt es nicht.`);
  return only ?? null;
}

function placeholdersOf(file: string, text: string): string[] {
  if (/[{}]/.test(text.replaceAll(PLACEHOLDER, ''))) throw paperFault(file, text, 'Eine geschweifte Klammer hat keine zweite.');
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** Returns the sections for an installation, with its values in their sentences. */
export function say(sections: Section[], known: Known): SaidSection[] {
  const cases = (only: string | null) => (only === null ? [{}] : CONDITIONS[only]!.of(known));
  return sections
    .filter(({ only }) => cases(only).length > 0)
    .map(({ title, sentences }) => ({
      title,
      sentences: sentences.flatMap(({ text, source, checks, only }) =>
        cases(only).map((values: Readonly<Record<string, string>>) => ({
          text: text.replaceAll(PLACEHOLDER, (_, name: string) => values[name] ?? VALUES[name]!(known)),
          source,
          checks,
        })),
      ),
    }));
}
