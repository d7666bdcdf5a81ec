import type { Photo } from '@feierbild/contract/entities.ts';
import type { Layout } from '@feierbild/contract/wall.ts';

/** What the wall has to know of a photo. */
export type Listed = Pick<Photo, 'id' | 'created_at' | 'width' | 'height' | 'video'> & { device?: { tag?: string | undefined } };

export interface Slide<P> {
  /** The same while photos join it or leave it. */
  id: number;
  photos: readonly P[];
  /** How many were ever on it. */
  places: number;
  /** Its photos are shown before their place in the order, because they are new. */
  fresh: boolean;
  /** The host has put it on the wall: newcomers wait for its time. */
  kept?: boolean;
  /** When it was drawn, and when the next one is due, ms; null before. */
  began: number | null;
  due: number | null;
}

/** The state of a running slideshow: what is shown, and all that decides what comes next. */
export interface Show<P> {
  /** In the slideshow's order. */
  photos: readonly P[];
  slide: Slide<P>;
  /** In `photos`: the first photo of the order's slide that is shown, or was before the newcomers. */
  position: number;
  /** How many of that slide's photos are there; none: what is at the position was not shown yet. */
  taken: number;
  /** Photos that came while it runs, in the order in which they were received: whose picture is on its way, and those that can be shown. */
  coming: readonly P[];
  waiting: readonly P[];
  /** Photos that were shown as newcomers: the order passes over each once. */
  early: ReadonlySet<string>;
  /** All that were ever in the slideshow: none of them is new. */
  known: ReadonlySet<string>;
  /** How many photos were shown in all, and which number each had when it was shown last. */
  count: number;
  shown: ReadonlyMap<string, number>;
  /** The turn of each device: which number its last newcomer had. */
  turns: ReadonlyMap<string, number>;
  /** What was received before is not new. */
  since: string;
  /** The window is wide: portraits fit side by side. */
  wide: boolean;
  layout: Layout;
  seed: string;
}
