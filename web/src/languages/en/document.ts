import type { DocumentTexts } from '../spoken.ts';

export const document = {
  offer: 'Read this page in English',
  languages: 'Language',
  noscript: 'This page needs JavaScript for joining, uploading and managing.',
  description: 'Upload photos from your phone to the event: in full quality, encrypted, without an account and without an app.',
} satisfies DocumentTexts;
