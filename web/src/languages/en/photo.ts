import { formatInstant, formFor } from '../../lib/format.ts';
import type { CookieTexts } from '../../texts/guest/cookies.ts';
import type { PhotoTexts } from '../../texts/guest/photo.ts';
import type { FileErrorTexts } from '../spoken.ts';
import { counted } from './shell.ts';

export const fileErrors = {
  originals_off: 'The host of this event does not pass the originals on to guests.',
  original_missing: 'Only the preview of this photo is available.',
  video_not_shared:
    'No version of this video without its location can be made. So only the host and whoever sent it can play it, and there is no link to it.',
} satisfies FileErrorTexts;

export const photo = {
  heart: 'I like it',
  anonymous: 'No name',
  of: (isVideo, name, at) => `${isVideo ? 'Video' : 'Photo'}${name ? ` from ${name}` : ''}, ${formatInstant(at)}`,
  states: {
    waiting: 'Waiting for approval',
    announced: 'Original to follow',
    unreadable: 'Original unreadable',
    replaced: 'Preview replaced',
  },
  replaced: 'the preview shown at first was a different picture',
  taken: (time) => `taken on ${time}`,
  download: 'Download',
  details: 'All details',
  hearts: (count) => formFor(count, { one: 'heart', other: 'hearts' }),
  counted,
} satisfies PhotoTexts;

export const cookies = {
  title: 'Your browser blocks cookies',
  text: 'Without a cookie this page cannot open. Please allow cookies for this address and reload the page, or use another browser.',
} satisfies CookieTexts;
