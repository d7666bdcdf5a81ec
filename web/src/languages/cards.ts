import type { Language } from '@feierbild/contract/languages.ts';
import type { CardTexts } from './spoken.ts';

const found = import.meta.glob<CardTexts>('./*/card.ts', { eager: true, import: 'card' });

/** The lines on cards, by their languages. */
export const CARD_LINES = Object.fromEntries(Object.entries(found).map(([path, card]) => [path.split('/')[1], card])) as Partial<
  Record<Language, CardTexts>
>;
