import { formatInstant, formFor } from '../../lib/format.ts';
import type { ReleaseTexts } from '../../texts/guest/release.ts';

export const release = {
  title: 'Approval',
  waiting: (count) => formFor(count, { one: 'One photo waiting', other: '# photos waiting' }),
  show: 'Show',
  hide: 'Don’t show',
  meaning: '“Show”: all guests see the photo, and the slideshow shows it. “Don’t show”: only the host sees it.',
  unseen: 'Nothing of this video is to be seen yet. Please watch it first, then show it.',
  byHost: 'The host can watch it; “Don’t show” leaves it to the host.',
  undo: 'Undo',
  showAll: (count) => formFor(count, { one: 'Show one', other: 'Show all #' }),
  showAllTitle: (count) => formFor(count, { one: 'Show this photo?', other: 'Show all # photos?' }),
  showAllText: 'Guests see them right away, and the slideshow shows them. Single ones can be taken out again in the gallery afterwards.',
  done: 'Everything is decided',
  doneText: 'New photos will appear here by themselves.',
  from: (name, at) => (name ? `${name}, ${formatInstant(at)}` : formatInstant(at)),
  failed: 'The approval page cannot be opened right now',
  notSent: (count) =>
    formFor(count, {
      one: 'One decision did not arrive; the photo is waiting again.',
      other: '# decisions did not arrive; the photos are waiting again.',
    }),
  elsewhere: (count) =>
    formFor(count, {
      one: 'Meanwhile, someone else has decided about one photo.',
      other: 'Meanwhile, someone else has decided about # photos.',
    }),
  sending: 'Sending your decisions…',
  loading: 'Loading more photos…',
  noAccess: 'This page needs its link',
  noAccessText: 'Please open the host’s link once more; perhaps the host has ended it. Hosts log in here.',
  login: 'Log in as host (German)',
  linkPart: {
    label: 'Link or code',
    go: 'Continue',
    mistake: 'This contains neither the whole link nor its code.',
  },
} satisfies ReleaseTexts;
