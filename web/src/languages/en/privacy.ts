import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import type { PrivacyTexts } from '../spoken.ts';

export const privacy = {
  title: 'Privacy',
  essentials: 'The essentials for guests',
  binding: 'The German text below is binding.',
  points: [
    'Guests need no account. The host receives all photos. If the host shows a slideshow, opens the gallery for guests, makes a photo the cover photo or passes links on, others see them, too. Before a photo is sent, the upload page says who will see it.',
    'Photos are stored encrypted (AES-256). With the database, the photo store and the configuration alone, the provider cannot read any photos. The host can open them with the host’s password, the device that uploaded photos can open its own, and anyone with a valid download link can open that one photo. During upload and viewing, the server briefly processes them unencrypted in its memory.',
    'Photos cannot be viewed in the administration area. Technically, the provider could gain access by resetting the host’s password; every reset is recorded and shown to the host.',
    'The host receives the originals, including the location where they were taken, if it is stored in them. Download links passed on to others deliver the photo without that location.',
    `Photos are deleted automatically, no later than ${PHOTOS_KEPT_DAYS} days after the event; then the key is destroyed. Backup copies, for as long as they exist, also contain what has already been deleted.`,
    'There is no advertising, no analysis of your behaviour, and nothing from third-party servers.',
    'Only what the service needs is stored in your browser: a random device ID, so that your photos stay yours; the name you enter; the events for which you agreed to this notice; the language you chose; and copies of the photos you choose, until they have arrived.',
    'You can view, download and delete your own photos on the upload page. To have other photos deleted, please ask the host. If you cannot reach the host, or a photo is unlawful, report it to us with “Report a photo”.',
  ],
  rights: (email) =>
    `You have the right of access, rectification, erasure, restriction, data portability and objection (Art. 15 to 21 GDPR), and the right to complain to a supervisory authority (Art. 77 GDPR). Write to us: ${email}`,
} satisfies PrivacyTexts;
