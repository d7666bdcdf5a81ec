import { formatDay, formFor } from '../../lib/format.ts';
import type { ShellTexts } from '../../texts/guest/shell.ts';
import { listOf, type Counts } from '../../video/counts.ts';
import type { ErrorTexts } from '../spoken.ts';

export const locale = 'en-GB';

export const counted = (counts: Counts): string =>
  listOf(
    counts,
    formFor(counts.photos, { one: '1 photo', other: '# photos' }),
    formFor(counts.videos, { one: '1 video', other: '# videos' }),
  );

export const shell = {
  skip: 'Skip to content',
  home: ': to the home page',
  legal: 'Legal',
  privacy: 'Privacy',
  terms: 'Terms (German)',
  imprint: 'Legal notice (German)',
  contact: 'Contact (German)',
  wait: 'One moment…',
  reload: 'Reload the page',
  broken: 'Something went wrong',
  brokenText: 'The page could not be loaded. What has been uploaded stays stored; please reload the page.',
  close: 'Close',
  dismiss: 'Close this message',
  retry: 'Try again',
  cancel: 'Cancel',
  noConnection: 'No connection. Please check your network and try again.',
  unknown: 'An unknown error occurred',
  withId: (text, id) => `${text} (reference ${id})`,
  hints: {
    wrong: 'The event password is not correct. Upper and lower case matter.',
    missing: 'Please enter the event password.',
    opens: (day) => `This event opens on ${formatDay(day)}.`,
    ended: (day) => `This event is over; its last day was ${formatDay(day)}.`,
    inactive: 'This event is not active yet, or is no longer active.',
  },
} satisfies ShellTexts;

export const errors = {
  invalid_input: 'Please check what you have entered.',
  device_id_missing: 'The device ID could not be retrieved.',
  login_required: 'To open this page you need the link from the host.',
  event_inactive: 'This event is not active.',
  wrong_event_password: 'Wrong event password.',
  demo_fixed: 'That is not possible in the demo.',
  event_not_found: 'Event not found.',
  photo_not_found: 'Photo not found.',
  too_large: 'This file is too large.',
  too_many_attempts: 'Too many attempts. Please wait a few minutes and try again.',
  disk_full: 'The server has no free space left. Nothing is lost; please try again later.',
  other: 'An error occurred. Please try again later.',
  field: 'Please check this entry.',
} satisfies ErrorTexts;
