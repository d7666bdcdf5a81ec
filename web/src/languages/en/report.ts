import { formatInstant } from '../../lib/format.ts';
import type { ReportTexts } from '../../texts/guest/report.ts';
import type { VideoTexts } from '../../texts/guest/video.ts';

export const report = {
  arrived: 'We have received your report.',
  arrivedText: (at) => `Received on ${formatInstant(at)}. We will look into it, and get back to you if you gave an email address.`,
  event: 'Event',
  eventHint: 'The code or the name of the celebration',
  which: 'Which photo?',
  whichHint: 'What it shows, who sent it, and about when it came',
  byNumber: 'We can identify the photo by this number.',
  why: 'Why should it be removed?',
  name: 'Name (optional)',
  email: 'Email address (optional)',
  emailHint: 'For our answer',
  truth: 'By sending this you confirm that what you state is true to the best of your knowledge.',
  send: 'Send report',
} satisfies ReportTexts;

export const video = {
  broken: 'The connection is interrupted. The video will continue by itself.',
  unplayable: 'This device cannot play the video',
} satisfies VideoTexts;
