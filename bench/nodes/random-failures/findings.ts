import { note } from '../../support/report.ts';

/** Broken promises; each is printed at once. */
export interface Findings {
  add(text: string): void;
  /** Prints a line with the time since the beginning. */
  say(text: string): void;
  count(): number;
}

/** Most printed findings of one kind. */
const PRINTED = 20;

export function createFindings(): Findings {
  const began = performance.now();
  const kinds = new Map<string, number>();
  let count = 0;
  const say = (text: string): void => note(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${text}`);
  return {
    say,
    add(text) {
      count += 1;
      const kind = text.replaceAll(/[0-9a-f-]{8,}|\d+/g, '#').slice(0, 60);
      const times = (kinds.get(kind) ?? 0) + 1;
      kinds.set(kind, times);
      if (times <= PRINTED) say(`WRONG  ${text}`);
    },
    count: () => count,
  };
}
