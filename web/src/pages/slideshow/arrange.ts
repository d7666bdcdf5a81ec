/** A place on the wall, px. */
export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}
export type Box = Pick<Place, 'width' | 'height'>;

/** Largest share of its width or height that a photo loses in a collage, so that the collage fills the wall. */
export const MOST_CROPPED = 0.12;
/** Largest share of its height that a single landscape photo loses. */
const CROPPED_ALONE = 0.08;
const NOTHING: Box = { width: 0, height: 0 };

/**
 * Places photos of these ratios (width to height) on a wall: a single one as large as possible, two portraits side by side and whole,
 * others as rows or columns in their order. A collage keeps the wall's lower right `corner` free, a pair as far as its size allows.
 */
export function arrange(ratios: readonly number[], wall: Box, gap: number, corner: Box = NOTHING): Place[] {
  const [first = 1] = ratios;
  if (ratios.length < 2) return [alone(first, wall)];
  if (ratios.length === 2 && ratios.every((ratio) => ratio < 1) && wall.width > wall.height)
    return beside({ ...corner, width: corner.width + gap }, wall, pair(ratios, wall, gap), gap);
  const isFree = ({ left, top, width, height }: Place): boolean =>
    width > 0 && (left + width <= wall.width - corner.width || top + height <= wall.height - corner.height);
  const narrower = { ...wall, width: wall.width - corner.width };
  const lower = { ...wall, height: wall.height - corner.height };
  const ways = (corner.width > 0 ? [wall, narrower, lower] : [wall]).flatMap((box) => collages(ratios, box, gap, corner));
  const free = best(
    ways.flatMap((places) => {
      if (places.every(isFree)) return [places];
      return aside(places, gap)
        .filter((moved) => moved.every(isFree))
        .slice(0, 1);
    }),
  );
  // A window that is hardly larger than the corner has no free place.
  return free ?? (corner.width > 0 ? arrange(ratios, wall, gap) : (ways[0] ?? []));
}

/** Moves places to the left until none is under the corner, or the margin is used up. */
function beside(corner: Box, wall: Box, places: Place[], gap: number): Place[] {
  const right = Math.max(...places.map(({ left, width }) => left + width));
  const margin = Math.min(...places.map(({ left }) => left)) - gap;
  const by = Math.max(0, Math.min(right - (wall.width - corner.width), margin));
  return places.map((place) => ({ ...place, left: place.left - by }));
}

/** Returns the same places at the left of the wall, and at its top. */
function aside(places: readonly Place[], gap: number): Place[][] {
  const [left, top] = (['left', 'top'] as const).map((side) => Math.min(...places.map((place) => place[side])) - gap) as [number, number];
  return [places.map((place) => ({ ...place, left: place.left - left })), places.map((place) => ({ ...place, top: place.top - top }))];
}

/** Chooses the arrangement with the largest area, in which the smallest photo counts most. */
function best(ways: readonly Place[][]): Place[] | null {
  let most: { places: Place[] | null; score: number } = { places: null, score: -1 };
  for (const places of ways) {
    const areas = places.map(({ width, height }) => width * height);
    const score = areas.reduce((sum, area) => sum + area, 0) + 1.5 * areas.length * Math.min(...areas);
    if (score > most.score) most = { places, score };
  }
  return most.places;
}

function alone(ratio: number, wall: Box): Place {
  const width = Math.min(wall.width, (wall.height * ratio) / (ratio < 1 ? 1 : 1 - CROPPED_ALONE));
  return centred({ width, height: width / ratio }, wall);
}

function pair(ratios: readonly number[], wall: Box, gap: number): Place[] {
  const sum = ratios.reduce((all, ratio) => all + ratio, 0);
  const height = Math.min(wall.height - 2 * gap, (wall.width - (ratios.length + 1) * gap) / sum);
  const whole = centred({ width: height * sum + gap * (ratios.length - 1), height }, wall);
  let { left } = whole;
  return ratios.map((ratio) => {
    const place = { left, top: whole.top, width: height * ratio, height };
    left += place.width + gap;
    return place;
  });
}

const centred = ({ width, height }: Box, wall: Box): Place => ({
  left: (wall.width - width) / 2,
  top: (wall.height - height) / 2,
  width,
  height,
});

/** Returns all ways to break the photos into rows or columns; the last one may end before the corner. */
function collages(ratios: readonly number[], wall: Box, gap: number, corner: Box): Place[][] {
  const inside = { width: wall.width - 2 * gap, height: wall.height - 2 * gap };
  const turned = { width: inside.height, height: inside.width };
  const inverse = ratios.map((ratio) => 1 / ratio);
  const within = ({ left, top, ...size }: Place): Place => ({ left: left + gap, top: top + gap, ...size });
  /** With a corner, unstretched rows are tried, too, because they may fit where stretched ones do not. */
  const ends = (side: number): Ending[] =>
    corner.width > 0
      ? [0, side].flatMap((shorter) => [1 / (1 - MOST_CROPPED), 1].map((highest) => ({ shorter, highest })))
      : [{ shorter: 0, highest: 1 / (1 - MOST_CROPPED) }];
  return Array.from({ length: 2 ** (ratios.length - 1) }, (_, breaks) => [
    ...ends(corner.width).map((ending) => rows(ratios, breaks, inside, gap, ending)),
    ...ends(corner.height).map((ending) => rows(inverse, breaks, turned, gap, ending).map(turn)),
  ]).flatMap((ways) => ways.map((places) => places.map(within)));
}

const turn = ({ left, top, width, height }: Place): Place => ({ left: top, top: left, width: height, height: width });

interface Ending {
  /** Distance by which the last row is shorter than the others, px. */
  shorter: number;
  /** Largest height of a row divided by that of its whole photos. */
  highest: number;
}

/** Makes rows of equal width; a set bit in `breaks` ends a row. If they would not fill the box, photos lose up to MOST_CROPPED. */
function rows(ratios: readonly number[], breaks: number, box: Box, gap: number, { shorter, highest }: Ending): Place[] {
  const all: number[][] = [[]];
  ratios.forEach((ratio, n) => {
    all.at(-1)?.push(ratio);
    if (n < ratios.length - 1 && (breaks >> n) & 1) all.push([]);
  });
  const gaps = gap * (all.length - 1);
  /** Returns the rows' heights with whole photos at a width. */
  const heights = (width: number): number[] =>
    all.map((row, n) => {
      const room = width - gap * (row.length - 1) - (n === all.length - 1 ? shorter : 0);
      return room / row.reduce((sum, ratio) => sum + ratio, 0);
    });
  const total = (width: number): number => heights(width).reduce((sum, height) => sum + height, 0);
  const kept = 1 - MOST_CROPPED;
  const room = box.height - gaps;
  // Rows that are too high even with cropped photos become narrower. Their height grows linearly with the width.
  const slope = total(1) - total(0);
  const width = Math.max(0, Math.min(box.width, (room / kept - total(0)) / slope));
  // Photos of rows that are made lower lose height, those of higher rows lose width.
  const stretch = Math.min(Math.max(room / total(width), kept), highest);
  const used = total(width) * stretch + gaps;
  let top = (box.height - used) / 2;
  return all.flatMap((row, n) => {
    const natural = heights(width)[n] as number;
    const height = natural * stretch;
    let left = (box.width - width) / 2;
    const places = row.map((ratio) => {
      const place = { left, top, width: natural * ratio, height };
      left += place.width + gap;
      return place;
    });
    top += height + gap;
    return places;
  });
}
