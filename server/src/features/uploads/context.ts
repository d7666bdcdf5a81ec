import type { Events } from '../events/events.ts';
import type { Context } from '../context.ts';
import type { BlobLife } from '../integrity/blob-life.ts';
import type { Links } from '../links/links.ts';
import type { Photos } from '../photos/photos.ts';

/** The parts of the service that uploads use, and their limits. */
export interface UploadContext extends Omit<Context, 'ending'> {
  events: Pick<Events, 'guests'>;
  photos: Pick<Photos, 'previews' | 'find' | 'byId' | 'remove'>;
  links: Pick<Links, 'make' | 'rowsOf' | 'booths'>;
  blobLife: BlobLife;
  /** Longest single file, and longest video that comes in pieces, bytes. */
  maxBytes: number;
  maxVideoBytes: number;
  /** Silence after which a sender loses the connection, ms. */
  stallMs: number;
}
