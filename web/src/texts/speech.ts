/** Refusals by their codes, and what stands for the others. */
type Refusals = Record<string, string> & { other: string; field: string };

/** Texts of another language than German, by catalogue; empty while German is spoken. Each names its own type (languages/spoken.ts). */
let spoken: Record<string, unknown> = {};

const hearers: (() => void)[] = [];

/** Speaks a language from now on: in a browser once, before its page begins; where pages are drawn for all, before each. */
export function speak(texts: object): void {
  spoken = texts as typeof spoken;
  for (const hear of hearers) hear();
}

/** Runs `find` now, and again whenever another language is spoken. */
export function hear(find: () => void): void {
  hearers.push(find);
  find();
}

/** A catalogue in the language that is spoken. */
export function said<T>(catalogue: string, german: T): T {
  return (spoken[catalogue] as T | undefined) ?? german;
}

/** A refusal in the language that is spoken, by its code; `german` is what the server says of it. */
export function refusalText(code: string, german: string): string {
  const errors = said<Refusals | null>('errors', null);
  return errors ? (errors[code] ?? errors.other) : german;
}
