import type { Photo } from '@feierbild/contract/entities.ts';
import type { Layout } from '@feierbild/contract/wall.ts';

/** The data of a photo that the show needs. */
export type Listed = Pick<Photo, 'id' | 'created_at' | 'width' | 'height' | 'video'> & { device?: { tag?: string | undefined } };

export interface Slide<P> {
  /** The slide's id, which stays the same while photos join or leave it. */
  id: number;
  photos: readonly P[];
  /** Number of photos that were ever on it. */
  places: number;
  /** Whether its photos are new and shown before their place in the order. */
  fresh: boolean;
  /** Whether the host has put it on the wall, so that newcomers wait until its time is over. */
  kept?: boolean;
  /** Times at which it was drawn, and at which the next one is due, ms; null before. */
  began: number | null;
  due: number | null;
}

/** The state of a running slideshow: the shown slide, and the data that decide about the next ones. */
export interface Show<P> {
  /** The photos in the slideshow's order. */
  photos: readonly P[];
  slide: Slide<P>;
  /** Index in `photos` of the first photo of the order's slide that is shown, or was shown before the newcomers. */
  position: number;
  /** Number of that slide's photos that still exist; 0 if the photo at the position was not shown yet. */
  taken: number;
  /** Photos that came while it runs, in order of receipt: those whose picture is being loaded, and those that can be shown. */
  coming: readonly P[];
  waiting: readonly P[];
  /** Photos that were shown as newcomers, each of which the order passes over once. */
  early: ReadonlySet<string>;
  /** Number of the photo that was shown again last, in place of the order, because the network is gone; null if it is there. */
  again: number | null;
  /** Ids of all photos that were ever in the slideshow and are not new. */
  known: ReadonlySet<string>;
  /** Number of photos shown in all, and the number of each when it was shown last. */
  count: number;
  shown: ReadonlyMap<string, number>;
  /** The turn of each device: the number of its last newcomer. */
  turns: ReadonlyMap<string, number>;
  /** Time of receipt before which a photo is not new. */
  since: string;
  /** Whether the window is wide enough for portraits side by side. */
  wide: boolean;
  layout: Layout;
  seed: string;
}
