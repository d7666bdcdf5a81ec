import type { CardTexts } from '../spoken.ts';

export const card = {
  send: 'Scan, choose your photos, done. No app, no account.',
  look: 'Scan and look at the photos. No app, no account.',
} satisfies CardTexts;
