/** A part of a ZIP that went out, bytes [start, end). */
export type Part = readonly [start: number, end: number];

/** Parts behind a gap that a ZIP's row keeps; further ones have to be sent again. */
const MOST = 64;

/**
 * The row's account of what went out: all bytes before `downloaded_bytes`, and further `parts`, JSON of Behind. A node of an earlier version
 * leaves `parts` of a former ZIP, which its ETag tells.
 */
export interface Sent {
  downloaded_bytes: number;
  parts: string | null;
}

interface Behind {
  etag: string;
  parts: Part[];
}

/** Adds a part of the ZIP with this ETag to what went out. Parts that come at the same time end in any order. */
export function withPart({ downloaded_bytes, parts }: Sent, etag: string, part: Part): Sent {
  const noted = parts === null ? null : (JSON.parse(parts) as Behind);
  const behind = noted?.etag === etag ? noted.parts : [];
  const [first, ...others] = joined([[0, downloaded_bytes], ...behind, part]);
  const kept: Behind | null = others.length === 0 ? null : { etag, parts: others.slice(0, MOST) };
  return { downloaded_bytes: first?.[1] ?? 0, parts: kept && JSON.stringify(kept) };
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
