/** A part of a ZIP that went out, bytes [start, end). */
export type Part = readonly [start: number, end: number];

/** Parts behind a gap that a ZIP's row keeps; further ones have to be sent again. */
const MOST = 64;

/** The row's account of what went out: all bytes before `downloaded_bytes`, and further `parts`. */
export interface Sent {
  downloaded_bytes: number;
  parts: string | null;
}

/** Adds a part to what went out. Parts that come at the same time end in any order. */
export function withPart({ downloaded_bytes, parts }: Sent, part: Part): Sent {
  const behind = parts === null ? [] : (JSON.parse(parts) as Part[]);
  const [first, ...others] = joined([[0, downloaded_bytes], ...behind, part]);
  return { downloaded_bytes: first?.[1] ?? 0, parts: others.length === 0 ? null : JSON.stringify(others.slice(0, MOST)) };
}

/** Joins parts that overlap or touch each other, in order. */
function joined(parts: readonly Part[]): Part[] {
  const all: [start: number, end: number][] = [];
  for (const [start, end] of parts.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}
