/** Texts of refusals by their codes; `other` for all further codes, `field` for a refused field. */
type Refusals = Record<string, string> & { other: string; field: string };

/** Texts of a language other than German, by catalogue; empty while the language is German. Types: languages/spoken.ts. */
let spoken: Record<string, unknown> = {};

const hearers: (() => void)[] = [];

/** Sets the language: a browser does it once, before its page begins; the server does it before each rendering. */
export function speak(texts: object): void {
  spoken = texts as typeof spoken;
  for (const hear of hearers) hear();
}

/** Runs `find` now, and again whenever the language changes. */
export function hear(find: () => void): void {
  hearers.push(find);
  find();
}

/** Returns a catalogue in the current language. */
export function said<T>(catalogue: string, german: T): T {
  return (spoken[catalogue] as T | undefined) ?? german;
}

/** Returns a refusal's text in the current language, by its code; `german` is the server's text. */
export function refusalText(code: string, german: string): string {
  const errors = said<Refusals | null>('errors', null);
  return errors ? (errors[code] ?? errors.other) : german;
}
