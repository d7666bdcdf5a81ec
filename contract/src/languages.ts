/** Languages of the guests' pages, by their own names, with writing direction. German, the interface's own, comes first. */
export const LANGUAGES = {
  de: { name: 'Deutsch', dir: 'ltr' },
  en: { name: 'English', dir: 'ltr' },
  tr: { name: 'Türkçe', dir: 'ltr' },
  ru: { name: 'Русский', dir: 'ltr' },
  ar: { name: 'العربية', dir: 'rtl' },
  uk: { name: 'Українська', dir: 'ltr' },
  pl: { name: 'Polski', dir: 'ltr' },
} as const;
export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as [Language, ...Language[]];

export const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name);

/** The language for guests with any other language. */
const FOR_OTHERS: Language = 'en';

const SPOKEN = /^\/(event|galerie|freigabe|join|securejoin|download|datenschutz)(\/|$)/;

/** Tells whether a page (its path without query) speaks the languages of guests. All others are German. */
export function isSpokenPage(path: string): boolean {
  return SPOKEN.test(path);
}

/** Chooses the language for a header Accept-Language: its first language that is ours, else FOR_OTHERS; null: the header names none. */
export function languageFor(accepted: string): Language | null {
  const names = accepted
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((found) => found !== undefined);
      // `en-US`, or `en_US.UTF-8` as systems write it (POSIX).
      return { name: tag.split(/[-_.@]/, 1)[0] ?? '', quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ name, quality }) => /^[a-z]{2,8}$/.test(name) && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ name }) => name);
  if (names.length === 0) return null;
  return names.find(isLanguage) ?? FOR_OTHERS;
}
