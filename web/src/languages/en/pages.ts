import type { DownloadTexts } from '../../texts/guest/download.ts';
import type { JoinTexts } from '../../texts/guest/join.ts';

export const join = {
  title: 'Join an event',
  lead: 'The code is on the invitation or on the card on your table.',
  secureLead: 'This event is protected by a password. Please ask the host for it.',
  code: 'Event code',
  placeholder: 'Enter the 8-character code',
  hint: '8 characters: letters and digits',
  password: 'Event password',
  show: 'Show password',
  open: 'Open event',
  back: '← Back to the home page',
  failed: 'Invalid or expired event code',
  trouble: 'There is a problem with the connection to the server right now. Please try again in a moment.',
} satisfies JoinTexts;

export const download = {
  photo: 'Your photo',
  video: 'Your video',
  loading: 'The preview is loading…',
  noPreview: 'The preview could not be loaded',
  preview: 'Preview of your photo',
  button: 'Download photo',
  busy: 'Downloading…',
  done: 'Downloaded!',
  doneText: 'Your photo has been downloaded.',
  valid: 'This link is valid for 7 days',
  safe: 'Safe and private',
  error: 'Error',
  noToken: 'Invalid download link',
  home: 'To the home page',
  expired: 'The download link has expired. Please take a new photo.',
  invalid: 'Invalid download link.',
  failed: (why) => `The photo could not be downloaded: ${why}. Please try again.`,
  line: 'no connection',
  status: (status) => `status ${status}`,
  awaited: 'Your photo is still on its way',
  awaitedText:
    'The photo booth has no network right now. As soon as the photo is there, it will appear here by itself; you can also open this page again later.',
  report: 'Report a photo',
  reportVideo: 'Report a video',
} satisfies DownloadTexts;
