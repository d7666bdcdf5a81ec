import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { formatDay, formatInstant, formatNumber, formFor } from '../../lib/format.ts';
import type { CookielessTexts } from '../../texts/guest/cookieless.ts';
import type { GuestTexts } from '../../texts/guest/guest.ts';
import type { LaterTexts } from '../../texts/guest/later.ts';
import type { UploadErrorTexts } from '../spoken.ts';
import { counted, errors, shell } from './shell.ts';

export const uploadErrors = {
  upload_incomplete: 'The transfer was interrupted. Please try again.',
  upload_disabled: 'Uploads are switched off for this event.',
  device_full: 'This device has already sent as many photos as this event allows.',
  demo_full: `The demo allows at most ${DEMO_PHOTOS} photos per device.`,
  photo_removed: 'This photo was deleted.',
  too_many_pixels: 'This image has more than 200 megapixels.',
  video_refused: 'This event does not accept videos.',
  video_unreadable: 'This video is not accepted. Possible formats are MP4, MOV and WebM, as recorded by phones.',
  not_a_photo: 'This file is not a readable image.',
  storage_full: 'The storage of this event is full.',
} satisfies UploadErrorTexts;

const way = 'Something on the way to the server is blocking the photos. Another network will help.';

export const guest = {
  page: {
    loadingFails: 'The event cannot be opened right now',
    again: 'This page will try again by itself.',
    noConnection: 'No connection to the server.',
    noCode: 'No event code given',
    enterCode: 'Enter code',
    device: 'Device error',
    deviceText: errors.device_id_missing,
    password: 'Password required',
    passwordText: 'This event needs a password. Please tap “Unlock” to enter it.',
    passwordWrong: 'The password in this link is wrong or no longer valid.',
    unlock: 'Unlock',
    notFound: 'Invalid or expired event code',
    notOpen: 'Not open yet',
    opensOn: (day) => `This event opens on ${formatDay(day)}. That is when you can start here.`,
    uploadsOff: uploadErrors.upload_disabled,
    uploadsOffText: 'If they are switched on again, you can continue on this page.',
    otherEvent: 'Open another event',
  },
  form: {
    name: 'Your name',
    pick: 'Choose files',
    eventPassword: 'Event password',
    chosen: 'Chosen files',
    private: 'Only the host sees all photos. They are stored encrypted.',
    sealed: 'Photos are stored encrypted.',
    gallery: 'Photos of all guests',
    perDevice: (count) =>
      formFor(count, {
        one: 'At this event you can send one photo per device.',
        other: 'At this event you can send # photos per device.',
      }),
    ownLater: 'Even your own photos will be shown here only once the host reveals the photos.',
    own: (count) => `My photos (${formatNumber(count)})`,
    report: 'Report a photo',
  },
  bar: {
    region: 'Upload',
    hint: 'Just tick this box, then you can start.',
    consent: (takesVideos) =>
      takesVideos
        ? 'I have read the [privacy notice] and have the right to share these photos and videos.'
        : 'I have read the [privacy notice] and have the right to share these photos.',
    originals: 'The host receives the originals, including the location where they were taken, if it is stored in them.',
    seenBy: {
      open: 'What is uploaded here can be seen by all guests right away.',
      released: (minutes) =>
        minutes === null
          ? 'All guests can see what is uploaded here as soon as the host approves it.'
          : `All guests can see what is uploaded here as soon as the host approves it, or automatically after ${minutes} min at the latest.`,
      revealed: 'All guests can see what is uploaded here as soon as the host reveals it.',
      from: (instant) => `From ${formatInstant(instant)}, all guests can see what is uploaded here.`,
      wall: {
        always: 'Everyone at the venue sees in the slideshow what the host does not hold back.',
        now: 'Even before that, everyone at the venue sees in the slideshow what the host does not hold back.',
        later: 'From then on, everyone at the venue also sees in the slideshow what the host does not hold back.',
      },
    },
    nothing: 'Ready',
    done: '✓ Uploaded',
    send: (count) => `Upload (${formatNumber(count)})`,
    running: (left) => `Uploading… (${formatNumber(left)} left)`,
    off: {
      running: 'An upload is running.',
      nothing: 'Please choose something first.',
      done: 'Everything is uploaded.',
      hopeless: 'Items marked in red cannot be uploaded.',
    },
  },
  leave: {
    uploading: 'Your upload is still running. Leave the page anyway?',
    unsent: 'What you chose has not been uploaded yet. Leave the page anyway?',
  },
  status: {
    cloud: 'Your phone is fetching the files from the cloud first.',
    chooseAgain: (counts) => `Please choose ${counted(counts)} again.`,
    gone: (count) => formFor(count, { one: 'It is no longer on this device.', other: 'They are no longer on this device.' }),
    silent: 'Please choose the photos from last time again.',
    stuck: {
      line: 'Waiting for the network – the upload will continue by itself.',
      server: 'Waiting for the server – the upload will continue by itself.',
      way,
      device: 'Waiting for this device’s storage – the upload will continue by itself.',
    },
    paused: (counts) =>
      formFor(counts.photos + counts.videos, {
        one: `${counted(counts)} has not been uploaded yet.`,
        other: `${counted(counts)} have not been uploaded yet.`,
      }),
    safe: (stored, all) => `${formatNumber(stored)} of ${formatNumber(all)} arrived.`,
    shown: (count) =>
      formFor(count, {
        one: 'One can already be seen; the original will follow.',
        other: '# can already be seen; the originals will follow.',
      }),
    stayOpen: 'Please keep this page open.',
    mayClose: 'If you close this page, the upload will continue the next time you open it.',
    more: 'More',
    stop: 'Stop uploading',
    ended: {
      removing: 'The upload has been stopped. What could already be seen is being removed: please keep this page open until that is done.',
      removed: 'The upload has been stopped. What had not arrived cannot be seen anywhere.',
    },
    elsewhere: (stored, all) => `In another window: ${formatNumber(stored)} of ${formatNumber(all)} arrived.`,
    requests: (ids) => formFor(ids.length, { one: `(reference ${ids.join(', ')})`, other: `(references ${ids.join(', ')})` }),
  },
  thanks: {
    title: (name) => (name ? `Thank you, ${name}!` : 'Thank you!'),
    all: (counts) =>
      formFor(counts.photos + counts.videos, { one: `${counted(counts)} has arrived.`, other: `${counted(counts)} have arrived.` }),
    partly: (stored, counts) => {
      const noun = counts.videos === 0 ? 'photos' : counts.photos === 0 ? 'videos' : 'photos and videos';
      const all = `${formatNumber(counts.photos + counts.videos)} ${noun}`;
      return formFor(stored, { one: `1 of ${all} has arrived.`, other: `# of ${all} have arrived.` });
    },
  },
  tile: {
    waiting: 'chosen',
    sending: 'uploading',
    announced: 'original to follow',
    stored: 'uploaded',
    failed: 'failed',
    resends: 'waiting',
    heic: 'HEIC format',
    remove: 'remove',
    view: (name) => `${name}, view`,
  },
  failed: {
    no_connection: shell.noConnection,
    too_large: errors.too_large,
    unreadable: 'This file can no longer be read.',
    device_silent: 'This device’s storage is not responding right now.',
    altered: 'This photo arrived altered.',
    not_ours: 'Blocked on the way to the server.',
  },
  said: {
    progress: (percent) => `${percent} percent uploaded`,
    stuck: {
      line: 'The upload is waiting for the network',
      server: 'The upload is waiting for the server',
      way,
      device: 'The upload is waiting for this device’s storage',
    },
    done: 'Everything is uploaded',
    failed: (count) => `Done, ${formatNumber(count)} failed`,
  },
} satisfies GuestTexts;

const tap = 'Tap items marked in red to remove them.';
const again = 'Tap items marked in red, and choose them again.';

export const later = {
  passOn: 'Tell others',
  inApp: {
    title: (app) =>
      app === '' ? 'This page is open in another app’s built-in browser.' : `This page is open in ${app}’s built-in browser.`,
    text: 'It works more reliably in your usual browser: tap “…” or “⋮” at the top, then “Open in browser”.',
  },
  failures: {
    files: (count) => formFor(count, { one: '1 file', other: '# files' }),
    counted,
    because: (what, reason) => `${what}: ${reason}`,
    more: (names, others) => (others > 0 ? `${names.join(', ')} and ${formatNumber(others)} more` : names.join(', ')),
    causes: {
      too_large: { short: 'Too large', reason: 'too large.', advice: 'Please send it to the host in another way.' },
      not_a_photo: { short: 'Not an image', reason: 'not a readable image.', advice: tap },
      too_many_pixels: {
        short: 'Too large',
        reason: 'more than 200 megapixels.',
        advice: 'Please take it at a lower resolution, or send it to the host in another way.',
      },
      video_refused: { short: 'No videos', reason: uploadErrors.video_refused, advice: tap },
      video_unreadable: { short: 'Unreadable', reason: 'Possible formats are MP4, MOV and WebM, as recorded by phones.', advice: tap },
      unreadable: { short: 'Unreadable', reason: 'can no longer be read.', advice: `Perhaps something was deleted or moved. ${again}` },
      photo_removed: { short: 'Deleted', reason: 'deleted before the original arrived.', advice: tap },
      altered: { short: 'Altered', reason: 'arrived altered.', advice: again },
      storage_full: {
        short: 'Storage full',
        reason: uploadErrors.storage_full,
        advice: 'Please tell the host; everything is still on this device.',
      },
      disk_full: {
        short: 'Storage full',
        reason: 'The server has no free space left.',
        advice: 'Nothing is lost; please try again later.',
      },
      demo_full: { short: 'Demo full', reason: uploadErrors.demo_full, advice: '' },
      device_full: { short: 'Too many', reason: uploadErrors.device_full, advice: tap },
      wrong_event_password: { short: 'Password', reason: 'The event password is missing, or is no longer correct.', advice: '' },
      closed: { short: 'Event closed', reason: 'The event is not accepting anything right now.', advice: 'Please ask the host.' },
      no_connection: { short: 'No network', reason: 'not sent because there is no connection.', advice: 'Tap “Upload” to continue.' },
      other: { short: 'Not sent', reason: 'not uploaded.', advice: 'Please try again in a moment.' },
    },
  },
  mine: {
    title: 'My photos',
    hint: 'This list belongs to this browser; on other devices it is empty.',
    states: { announced: 'Original to follow', unreadable: 'Original unreadable' },
    photo: (name) => `My photo ${name}`,
    video: (name) => `My video ${name}`,
    remove: 'Delete',
    download: 'Download',
    delete: (isVideo) => (isVideo ? 'Delete this video?' : 'Delete this photo?'),
    deleteText: (isVideo, name) =>
      isVideo
        ? `The video “${name}” will be deleted from the host’s gallery, too. This cannot be undone.`
        : `The photo “${name}” will be deleted from the host’s gallery, too. This cannot be undone.`,
    keep: 'Keep',
    deleteNow: 'Delete permanently',
  },
} satisfies LaterTexts;

export const unkept = {
  hint: 'This list lasts until you close the page: your browser blocks cookies.',
} satisfies CookielessTexts;
