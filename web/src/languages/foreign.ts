import type { Language } from '@feierbild/contract/languages.ts';
import type { CardTexts, DocumentTexts, Spoken } from './spoken.ts';

/** A language's folder: the texts of its pages, documents and cards. */
export interface Foreign {
  texts: Spoken;
  document: DocumentTexts;
  card: CardTexts;
}

const folders = import.meta.glob<Foreign>('./*/texts.ts', { eager: true });

/** Languages other than German, each from its folder; for the server, which renders pages in all of them. */
export const FOREIGN = Object.fromEntries(
  Object.entries(folders).map(([path, { texts, document, card }]) => [path.split('/')[1], { texts, document, card }]),
) as Partial<Record<Language, Foreign>>;
