import { SLIDESHOW_INTERVAL } from '@feierbild/contract/constants.ts';
import { LAYOUTS } from '@feierbild/contract/wall.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { favourites, ordered } from './order.ts';
import {
  advanced,
  arrived,
  begun,
  cutOff,
  missed,
  MOST_NEWCOMERS,
  nextComing,
  NEWCOMERS_MS,
  presented,
  refreshed,
  startShow,
  stepped,
} from './show.ts';
import type { Listed, Show } from './show-state.ts';

const photos = Array.from({ length: 50 }, (_, n) => ({ id: `photo-${n}` }));

describe('the order of the slideshow', () => {
  it('is as given without a seed', () => {
    expect(ordered(photos, null)).toEqual(photos);
  });

  it('is another with a seed, of the same photos', () => {
    const shuffled = ordered(photos, 'abc');
    expect(shuffled).not.toEqual(photos);
    expect(shuffled.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(photos.toSorted((a, b) => a.id.localeCompare(b.id)));
  });

  it('of favourites is from few hearts to many, without those that have none', () => {
    const hearts = new Map([
      ['photo-3', 2],
      ['photo-1', 7],
      ['photo-9', 2],
      ['photo-x', 5],
    ]);
    expect(favourites(photos, hearts).map(({ id }) => id)).toEqual(['photo-3', 'photo-9', 'photo-1']);
  });

  it('keeps the order of the others when a photo comes', () => {
    const before = ordered(photos.slice(1), 'abc');
    expect(ordered(photos, 'abc').filter(({ id }) => id !== 'photo-0')).toEqual(before);
  });
});

/** Makes photos from letters, received in alphabetical order; capitals are portraits. A digit after a letter is the device. */
const list = (ids: string): Listed[] =>
  [...ids.matchAll(/([a-z])(\d?)/gi)].map(([, id = '', tag]) => ({
    id,
    created_at: id.toLowerCase(),
    width: 4,
    height: id === id.toLowerCase() ? 3 : 5,
    device: { tag },
  }));

const shownBy = ({ slide }: Show<Listed>): string => slide.photos.map(({ id }) => id).join('+');

/** Returns the next `count` slides, forth or back. */
function slides(show: Show<Listed>, count: number, by: 1 | -1 = 1): string[] {
  const shown: string[] = [];
  for (let next = show; shown.length < count; next = stepped(next, by)) shown.push(shownBy(next));
  return shown;
}
const play = (show: Show<Listed>, count: number): string => slides(show, count).join(' ');

/** Marks all pictures of newcomers as loaded. */
const allArrived = (show: Show<Listed>): Show<Listed> => show.coming.reduce((next, { id }) => arrived(next, id), show);
const withNews = (show: Show<Listed>, ids: string): Show<Listed> => allArrived(refreshed(show, list(ids)));

describe('a newcomer whose picture does not come', () => {
  it('was not shown: its place in the order follows', () => {
    const came = stepped(withNews(startShow(list('abc')), 'abcd'), 1);
    expect(shownBy(came)).toBe('d');
    expect(play(stepped(came, 1), 4)).toBe('b c a b');
    const lost = missed(came, came.slide.photos);
    expect(play(stepped(lost, 1), 4)).toBe('b c d a');
  });
});

describe('without a line', () => {
  it('a slide that no photo of before can follow has no end', () => {
    const show = begun(cutOff(startShow(list('b'))), 0);
    const left = refreshed(show, list('a'));
    expect(left.slide).toMatchObject({ photos: [], began: null, due: null });
    const chosen = begun(presented(left, 'z', list('z')), 0);
    const over = advanced(chosen, SLIDESHOW_INTERVAL);
    expect(over.slide).toMatchObject({ photos: [{ id: 'z' }], began: null, due: null });
    expect(advanced(over, 2 * SLIDESHOW_INTERVAL)).toBe(over);
  });
});

describe('the position in a fresh list', () => {
  it.each([
    ['stays where nothing changed', 'abcde', 2, 'abcde', 'c'],
    ['follows the photo when others come before it', 'ghijk', 2, 'abghijk', 'i'],
    ['follows the photo when others go', 'abcde', 2, 'cde', 'c'],
    ['goes to the next when the photo goes', 'abcde', 2, 'abde', 'd'],
    ['wraps around when the last goes', 'abcde', 4, 'abcd', 'a'],
    ['passes over all that went', 'abcde', 1, 'aefg', 'e'],
    ['starts again where nothing is left of before', 'bcd', 2, 'a', 'a'],
  ])('%s', (_, before, position, after, expected) => {
    expect(shownBy(refreshed(startShow(list(before), { position }), list(after)))).toBe(expected);
  });
});

describe('photos that come while the slideshow runs', () => {
  it('cut the slide of the order at once, together and once; then the order goes on where it was', () => {
    const show = withNews(startShow(list('abcdef'), { position: 1 }), 'abcdefxyz');
    expect(play(begun(show, 0), 1)).toBe('b');
    const cut = advanced(begun(show, 0), 300);
    expect(play(cut, 6)).toBe('x+y+z c d e f a');
    // From the next round on, each newcomer has its place in the order.
    expect(slides(cut, 12).slice(6).join(' ')).toBe('b c d e f x');
  });

  it('come also in random order, also those whose place is before', () => {
    const show = withNews(startShow(list('dbfa'), { position: 1 }), 'zdybfxa');
    expect(play(stepped(show, 1), 6)).toBe('x+y+z f a d b f');
  });

  it('join a slide of newcomers, which begins its time anew and ends after twice its time', () => {
    let show = begun(advanced(begun(withNews(startShow(list('abcdef')), 'abcdefx'), 0), 0), 1000);
    expect([shownBy(show), show.slide.due]).toEqual(['x', 1000 + SLIDESHOW_INTERVAL]);
    show = advanced(withNews(show, 'abcdefxy'), 9000);
    expect([shownBy(show), show.slide.due]).toEqual(['x+y', 9000 + SLIDESHOW_INTERVAL]);
    show = advanced(withNews(show, 'abcdefxyz'), 15_000);
    expect([shownBy(show), show.slide.due]).toEqual(['x+y+z', 1000 + NEWCOMERS_MS]);
    // So shortly before the end, a newcomer gets the next slide.
    const late = advanced(withNews(show, 'abcdefvxyz'), 20_000);
    expect(shownBy(late)).toBe('x+y+z');
    expect(shownBy(advanced(late, 1000 + NEWCOMERS_MS))).toBe('v');
  });

  it('are six on a slide, by device in turn; the others follow on the next', () => {
    const show = withNews(startShow(list('abcde')), 'abcde k1l1m1n1o1p1q1r1 s2t2 z3');
    const first = stepped(show, 1);
    expect(shownBy(first)).toBe('k+s+z+l+t+m');
    expect(play(first, 3)).toBe('k+s+z+l+t+m n+o+p+q+r b');
    // A device that has not had a turn comes first.
    expect(shownBy(stepped(withNews(first, 'abcde k1l1m1n1o1p1q1r1 s2t2 z3 y4'), 1))).toBe('y+n+o+p+q+r');
  });

  it('are shown once their picture has come; one whose picture does not come waits for its place in the order', () => {
    const show = refreshed(startShow(list('abcd')), list('abcdxy'));
    expect(advanced(begun(show, 0), 10)).toMatchObject({ slide: { photos: [{ id: 'a' }] } });
    const half = arrived(arrived(show, 'x', false), 'y');
    expect(play(advanced(begun(half, 0), 10), 6)).toBe('y b c d x a');
  });

  it('are not shown earlier when the host puts an old one back, and leave when they are taken out', () => {
    expect(play(withNews(startShow(list('bcd')), 'abcd'), 4)).toBe('b c d a');
    const taken = refreshed(withNews(startShow(list('bcd')), 'bcdx'), list('bcd'));
    expect(play(taken, 4)).toBe('b c d b');
    const shown = stepped(withNews(startShow(list('bcd')), 'bcdx'), 1);
    expect(play(shown, 2)).toBe('x c');
    expect(play(refreshed(shown, list('bcd')), 2)).toBe('c d');
  });

  it('are not new where a round of favourites at the start has left them out', () => {
    const show = startShow(list('bd'), {}, list('abcde'));
    expect(refreshed(show, list('abcdefg'), list('abcdefg')).coming.map(({ id }) => id)).toEqual(['f', 'g']);
    expect(refreshed(startShow(list('bd'), {}, list('abcd')), list('abcd')).coming).toEqual([]);
  });

  it('are new also where one that was received later came first', () => {
    const show = withNews(withNews(startShow(list('abcd')), 'abcdy'), 'abcdxy');
    expect(shownBy(stepped(show, 1))).toBe('x+y');
  });

  it('lead back to the photo before them', () => {
    expect(shownBy(stepped(stepped(withNews(startShow(list('bcd')), 'bcdx'), 1), -1))).toBe('b');
  });
});

describe('a photo that the host puts on the wall', () => {
  it('is there at once and for its time, whoever comes meanwhile; then these, and the order where it was', () => {
    const show = begun(presented(startShow(list('abcdef'), { position: 1 }), 'e'), 0);
    expect(shownBy(show)).toBe('e');
    const late = advanced(withNews(show, 'abcdefx'), SLIDESHOW_INTERVAL - 1);
    expect(shownBy(late)).toBe('e');
    expect(play(advanced(late, SLIDESHOW_INTERVAL), 3)).toBe('x c d');
  });

  it('is nothing where it was taken out', () => {
    expect(shownBy(presented(startShow(list('abc')), 'z'))).toBe('a');
  });

  it('may have no place in a round of favourites: it stays for its time while others come, and then the round goes on', () => {
    const show = begun(presented(startShow(list('bdf')), 'e', list('abcdef')), 0);
    expect(shownBy(show)).toBe('e');
    const later = refreshed(show, list('bdf'), list('abcdefg'));
    expect(shownBy(advanced(later, SLIDESHOW_INTERVAL - 1))).toBe('e');
    expect(play(advanced(later, SLIDESHOW_INTERVAL), 3)).toBe('d f b');
    expect(shownBy(refreshed(show, list('bdf'), list('abcdf')))).toBe('d');
    expect(shownBy(refreshed(show, list('bdf')))).toBe('d');
  });
});

describe('portraits in a wide window', () => {
  const wide = { wide: true };

  it('stand side by side where two follow each other, once in each round', () => {
    expect(slides(startShow(list('aBCdEFGh'), wide), 7)).toEqual(['a', 'B+C', 'd', 'E+F', 'G', 'h', 'a']);
    expect(slides(startShow(list('ABCDE'), wide), 4)).toEqual(['A+B', 'C+D', 'E', 'A+B']);
    expect(slides(startShow(list('aBCd')), 4)).toEqual(['a', 'B', 'C', 'd']);
    expect(slides(startShow(list('aBCd'), { ...wide, layout: 'single' }), 4)).toEqual(['a', 'B', 'C', 'd']);
  });

  it('are together also on the way back', () => {
    expect(slides(startShow(list('aBCd'), { ...wide, position: 3 }), 4, -1)).toEqual(['d', 'B+C', 'a', 'd']);
  });

  it('are not shown beside a newcomer of the order, and are not shown twice after it', () => {
    const show = withNews(startShow(list('ABcD'), wide), 'ABcDXY');
    expect(slides(show, 6)).toEqual(['A+B', 'X+Y', 'c', 'D', 'A+B', 'c']);
    expect(shownBy(stepped(stepped(show, 1), -1))).toBe('A+B');
  });
});

describe('collages of the order', () => {
  it('have three to seven photos, each once in a round, and lead back', () => {
    const show = startShow(list('abcdefghijklmnopqrstuvw'), { layout: 'collage', seed: 'x' });
    const round: string[] = [];
    let next = show;
    do {
      round.push(shownBy(next));
      next = stepped(next, 1);
    } while (!shownBy(next).startsWith('a'));
    expect(round.join('+')).toBe('a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w');
    // The last slides may have fewer photos.
    for (const slide of round.slice(0, -2)) expect(slide.split('+').length).toBeGreaterThan(2);
    for (const slide of round) expect(slide.split('+').length).toBeLessThan(8);
    expect(shownBy(stepped(stepped(show, 1), -1))).toBe(round[0]);
  });
});

/** The events at a wall, in any order. */
const happening = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 15_000 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      device: fc.integer({ min: 0, max: 4 }),
      many: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('next' as const) }) },
);

/** Makes a wall with a clock of its own: pictures come at once, and each slide is drawn as soon as it is chosen. */
function wall(count: number, options: Parameters<typeof startShow>[1]) {
  let made = 0;
  let now = 0;
  const made_ = (tag: string): Listed => {
    const n = made++;
    return { id: `p${n}`, created_at: String(n).padStart(6, '0'), width: n % 3 ? 4 : 3, height: n % 3 ? 3 : 4, device: { tag } };
  };
  let all = Array.from({ length: count }, () => made_('old'));
  let show = begun(startShow(all, options), now);
  /** The shown photos with their times; `came` has the times of arrival. */
  const log: { id: string; at: number }[] = [];
  const came = new Map<string, number>();
  let before: readonly Listed[] = [];
  const look = (): void => {
    if (show.slide.began === null) show = begun(show, now);
    const ids = new Set(before.map(({ id }) => id));
    for (const { id } of show.slide.photos) if (!ids.has(id) || before === show.slide.photos) log.push({ id, at: now });
    before = show.slide.photos;
  };
  let slide = -1;
  const note = (): void => {
    if (show.slide.id !== slide) before = [];
    slide = show.slide.id;
    look();
  };
  note();
  function settle(): void {
    for (let next = nextComing(show, new Set()); next; next = nextComing(show, new Set())) show = arrived(show, next.id);
    for (;;) {
      const next = advanced(show, now);
      if (next === show) return;
      show = next;
      note();
    }
  }
  const list_ = (photos_: Listed[]): void => {
    all = photos_;
    show = refreshed(show, all);
    note();
    settle();
  };
  return {
    log,
    came,
    now: () => now,
    show: () => show,
    all: () => all,
    wait(ms: number): void {
      const end = now + ms;
      while (now < end) {
        now = Math.min(end, Math.max(now + 1, show.slide.due ?? end));
        settle();
      }
    },
    send(device: string, many: number): string[] {
      const fresh = Array.from({ length: many }, () => made_(device));
      for (const { id } of fresh) came.set(id, now);
      list_([...all, ...fresh]);
      return fresh.map(({ id }) => id);
    },
    remove(which: number): void {
      if (all.length > 5) list_(all.filter((_, n) => n !== which % all.length));
    },
    next(): void {
      show = stepped(show, 1);
      note();
      settle();
    },
  };
}

describe('whatever happens at a wall', () => {
  const options = fc.record({ wide: fc.boolean(), layout: fc.constantFrom(...LAYOUTS), seed: fc.string() });

  it('each new photo is shown at once or with one of the next slides, each device’s first within one slide’s time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 40 }), options, fc.array(happening, { maxLength: 60 }), (count, how, events) => {
        const it = wall(count, how);
        const first = new Map<string, string>();
        for (const event of events) {
          if (event.kind === 'wait') it.wait(event.ms);
          else if (event.kind === 'next') it.next();
          else if (event.kind === 'delete') it.remove(event.which);
          else {
            const [id = ''] = it.send(`d${event.device}`, event.many);
            if (!first.has(`d${event.device}`)) first.set(`d${event.device}`, id);
          }
          const there = new Set(it.all().map(({ id }) => id));
          // No deleted photo is shown, and none twice on a slide.
          const { photos: shown, fresh } = it.show().slide;
          expect(shown.length).toBeGreaterThan(0);
          for (const { id } of shown) expect(there.has(id)).toBe(true);
          expect(new Set(shown).size).toBe(shown.length);
          expect(shown.length).toBeLessThan(fresh ? MOST_NEWCOMERS + 1 : 8);
        }
        it.wait(120_000);
        const there = new Set(it.all().map(({ id }) => id));
        const at = new Map(it.log.toReversed().map(({ id, at: when }) => [id, when]));
        const waits = [...it.came]
          .filter(([id]) => there.has(id))
          .map(([id, when]) => ({ id, waited: (at.get(id) ?? Infinity) - when, when }));
        for (const { id, waited, when } of waits) {
          // Six newcomers share a slide, which lasts at most NEWCOMERS_MS; earlier newcomers count.
          const ahead = [...it.came].filter(
            ([other, whenCame]) => other !== id && whenCame <= when + waited && (at.get(other) ?? 0) >= when,
          ).length;
          expect(waited).toBeLessThan((Math.floor(ahead / MOST_NEWCOMERS) + 1) * NEWCOMERS_MS + 1);
        }
        for (const id of first.values()) {
          if (there.has(id)) expect((at.get(id) ?? Infinity) - (it.came.get(id) ?? 0)).toBeLessThan(SLIDESHOW_INTERVAL + 1);
        }
      }),
    );
  });

  it('nothing of the last third comes again, and everything comes in time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 40 }), options, fc.array(happening, { maxLength: 30 }), (count, how, events) => {
        const it = wall(count, how);
        for (const event of events) {
          if (event.kind === 'wait') it.wait(event.ms);
          else if (event.kind === 'send') it.send(`d${event.device}`, event.many);
        }
        const third = Math.floor(count / 3);
        it.log.forEach(({ id }, n) => expect(it.log.slice(Math.max(0, n - third), n).map((one) => one.id)).not.toContain(id));
        const begin = it.log.length;
        it.wait(2 * it.all().length * SLIDESHOW_INTERVAL + 60_000);
        expect(new Set(it.log.slice(begin).map(({ id }) => id)).size).toBe(it.all().length);
      }),
      { numRuns: 50 },
    );
  });

  it('300 photos of three devices of unequal zeal in ten minutes, beside ten thousand: nobody waits for another, all are shown', () => {
    const it = wall(10_000, { wide: true, seed: 'feast' });
    let sent = 0;
    const firsts: string[] = [];
    for (let second = 0; second < 600; second++) {
      // The zealous guest sends ten photos at once every 25 s, the usual one a photo every 12 s, the rare one a single photo.
      if (second % 25 === 0) firsts.push(it.send('zealous', 10)[0] as string);
      if (second % 12 === 5) it.send('usual', 1);
      if (second === 100) firsts.push(it.send('rare', 1)[0] as string);
      it.wait(1000);
      sent = it.came.size;
    }
    expect(sent).toBeGreaterThan(290);
    it.wait(30_000);
    const at = new Map(it.log.toReversed().map(({ id, at: when }) => [id, when]));
    const waited = (id: string): number => (at.get(id) ?? Infinity) - (it.came.get(id) ?? 0);
    const tagOf = new Map(it.all().map(({ id, device }) => [id, device?.tag]));
    const longest = (tag: string): number => Math.max(...[...it.came.keys()].filter((id) => tagOf.get(id) === tag).map(waited));
    // Occasional photos are not delayed by the many of another guest.
    expect(longest('usual')).toBeLessThan(SLIDESHOW_INTERVAL + 1);
    expect(longest('rare')).toBeLessThan(SLIDESHOW_INTERVAL + 1);
    expect(longest('zealous')).toBeLessThan(3 * SLIDESHOW_INTERVAL + 1);
    expect(firsts.length).toBeGreaterThan(20);
  });
});
