import type { Events } from '../events/events.ts';
import type { Context } from '../context.ts';
import type { BlobLife } from '../integrity/blob-life.ts';
import type { Links } from '../links/links.ts';
import type { Photos } from '../photos/photos.ts';

/** What the rooms of uploads stand on. */
export interface UploadContext extends Omit<Context, 'ending'> {
  events: Pick<Events, 'guests'>;
  photos: Pick<Photos, 'previews' | 'find' | 'byId' | 'remove'>;
  links: Pick<Links, 'make' | 'rowsOf' | 'booths'>;
  blobLife: BlobLife;
  /** Of a single file; of a video that comes in pieces. */
  maxBytes: number;
  maxVideoBytes: number;
  /** A sender who sends nothing for so long loses the connection. */
  stallMs: number;
}
