import { z } from 'zod';
import { calls } from '../call.ts';

/** A new temporary link. It is answered only once, because only a hash of its token is stored. */
export const TemporaryLink = z.object({
  /** Path of the page, `/download/{token}`. */
  download_url: z.string(),
  expires_at: z.string(),
});

export const linkCalls = calls('links', 'Temporary links to single photos.', {
  'POST /api/photos/:id/link': {
    summary: 'Makes a temporary link to one photo, valid for 7 days.',
    access: 'host',
    answers: { 201: TemporaryLink },
    errors: ['demo_fixed', 'video_not_shared'],
  },
  'GET /api/photos/temp_download/:token': {
    summary: 'The photo of a temporary link: a JPEG in full size without the place where it was taken.',
    access: 'anyone',
    answers: { 200: 'bytes', 206: 'bytes', 304: 'empty' },
    errors: ['link_invalid', 'link_expired', 'video_not_shared', 'unavailable'],
  },
});
