import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { expect, it } from 'vitest';
import { seenBy } from './seen-by.ts';

const AT = '2026-05-17T19:04:00Z';
const EVENT: GuestEvent = { title: '', subtitle: '', with_user_upload: true, with_upload_password: false, with_videos: false };
const GALLERY = { mode: 'reveal', opens_at: null, open: false, photos_per_device: null, originals: false, own_meanwhile: true } as const;
const RELEASES = {
  none: { with_release: false, release_minutes: null },
  hand: { with_release: true, release_minutes: null },
  minutes: { with_release: true, release_minutes: 30 },
};
const MODES = {
  drop: null,
  open: { ...GALLERY, mode: 'open', open: true },
  byHand: GALLERY,
  byTime: { ...GALLERY, opens_at: AT },
  revealed: { ...GALLERY, opens_at: AT, open: true },
} as const;

const SEEN = 'Alle Gäste sehen, was hier hochgeladen wird,';
const NOW = 'Alle Gäste sehen sofort, was hier hochgeladen wird.';
const RELEASED = `${SEEN} sobald der Gastgeber es freigibt.`;
const IN_TIME = `${SEEN} sobald der Gastgeber es freigibt, spätestens nach 30 min.`;
const BY_HAND = `${SEEN} sobald der Gastgeber enthüllt.`;
const BY_TIME = `${SEEN} ab 17. Mai 2026, 21:04.`;
const WALL = 'Die Slideshow zeigt allen vor Ort, was der Gastgeber nicht zurückhält.';
const BEFORE = 'Die Slideshow zeigt schon vorher allen vor Ort, was der Gastgeber nicht zurückhält.';
const THEN = 'Die Slideshow zeigt dann allen vor Ort, was der Gastgeber nicht zurückhält.';

/** The expected sentences about guests, by mode and release. A coming reveal has precedence over a release. */
const GUESTS: Record<keyof typeof MODES, Record<keyof typeof RELEASES, string>> = {
  drop: { none: '', hand: '', minutes: '' },
  open: { none: NOW, hand: RELEASED, minutes: IN_TIME },
  byHand: { none: BY_HAND, hand: BY_HAND, minutes: BY_HAND },
  byTime: { none: BY_TIME, hand: BY_TIME, minutes: BY_TIME },
  revealed: { none: NOW, hand: RELEASED, minutes: IN_TIME },
};
/** The expected sentences about the wall, by mode and the server's answer; the wall waits only for a reveal. */
const WALLS: Record<keyof typeof MODES, { now: string; later?: string }> = {
  drop: { now: WALL },
  open: { now: WALL },
  byHand: { now: BEFORE, later: THEN },
  byTime: { now: BEFORE, later: THEN },
  revealed: { now: WALL },
};

it.each(
  Object.entries(MODES).flatMap(([mode, gallery]) =>
    Object.entries(RELEASES).flatMap(([release, how]) => {
      const said = GUESTS[mode as keyof typeof MODES][release as keyof typeof RELEASES];
      const walls = Object.entries(WALLS[mode as keyof typeof MODES]);
      return [['none', ''], ...walls].map(([wall = '', wallSaid = '']) => ({ mode, release, wall, gallery, how, text: [said, wallSaid] }));
    }),
  ),
)('who sees what is sent: mode $mode, release $release, wall $wall', ({ gallery, how, wall, text }) => {
  const event = {
    ...EVENT,
    ...(gallery && { gallery: { ...gallery, ...how } }),
    ...(wall !== 'none' && { wall: wall as 'now' | 'later' }),
  };
  expect(seenBy(event)).toBe(text.filter(Boolean).join(' '));
});
