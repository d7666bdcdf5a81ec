import { GALLERY_MODES } from '@feierbild/contract/gallery.ts';
import { expect, it } from 'vitest';
import { sightOf, VIEWERS, type Seen, type Viewer } from './access.ts';

const NOW = 1_000;
const FLAG = [0, 1] as const;
/** Times of a reveal: none; ahead; ahead, but revealed by hand; past; past, but the clock was set back after it. */
const TIMES = [
  { gallery_opens_at: null, gallery_revealed_at: null, open: false },
  { gallery_opens_at: NOW + 1, gallery_revealed_at: null, open: false },
  { gallery_opens_at: NOW + 1, gallery_revealed_at: NOW - 1, open: true },
  { gallery_opens_at: NOW, gallery_revealed_at: NOW, open: true },
  { gallery_opens_at: NOW - 1, gallery_revealed_at: null, open: false },
  { gallery_opens_at: NOW + 1, gallery_revealed_at: NOW + 1, open: false },
];

type Case = Seen & { open: boolean };

/** Yields all possible photos at all times. */
function* cases(): Generator<Case> {
  for (const gallery_mode of GALLERY_MODES)
    for (const times of TIMES)
      for (const release_state of [0, 1, 2] as const)
        for (let bits = 0; bits < 128; bits++) {
          const flag = (n: number): 0 | 1 => FLAG[(bits >> n) & 1] as 0 | 1;
          yield {
            ...times,
            gallery_mode,
            open: gallery_mode === 'open' || (gallery_mode === 'reveal' && times.open),
            release_state,
            slideshow: flag(0),
            demo: flag(1),
            sample: flag(2),
            with_slideshow: flag(3),
            gallery_own_meanwhile: flag(4),
            gallery_wall_meanwhile: flag(5),
            sealed_for_gallery: flag(6) ? Buffer.alloc(1) : null,
          };
        }
}

/** Reasons to keep a photo from a viewer; each alone suffices. */
const KEPT: [Viewer[], (photo: Case) => boolean][] = [
  // The demo's visitors share one event and do not see each other's photos.
  [['host', 'projector', 'helper'], ({ demo, sample }) => demo === 1 && sample === 0],
  [['projector', 'guest'], ({ slideshow }) => slideshow === 0],
  [['projector'], ({ with_slideshow }) => with_slideshow === 0],
  [['projector'], ({ gallery_mode, open, gallery_wall_meanwhile: meanwhile }) => gallery_mode === 'reveal' && !open && meanwhile === 0],
  [['helper'], ({ release_state }) => release_state === 0],
  [['guest'], ({ sealed_for_gallery: key }) => key === null],
];
/** Reasons to tell a viewer that the photo comes later; other reasons to keep it do not count. */
const LATER: [Viewer, (photo: Case) => boolean][] = [
  ['device', ({ gallery_mode, open, gallery_own_meanwhile: meanwhile }) => gallery_mode === 'reveal' && !open && meanwhile === 0],
  ['guest', ({ open }) => !open],
];

it('who sees a photo, at any time and in each state, is a viewer from whom no rule keeps it', () => {
  let told = 0;
  for (const photo of cases()) {
    for (const viewer of VIEWERS) {
      const later = LATER.some(([who, rule]) => who === viewer && rule(photo));
      const kept = KEPT.some(([who, rule]) => who.includes(viewer) && rule(photo));
      const expected = later ? 'closed' : kept ? 'hidden' : 'seen';
      if (sightOf(viewer, photo, NOW) !== expected) expect([viewer, photo, sightOf(viewer, photo, NOW)]).toEqual([viewer, photo, expected]);
      told += 1;
    }
  }
  expect(told).toBe(3 * TIMES.length * 3 * 128 * VIEWERS.length);
});
