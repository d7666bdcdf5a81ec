import type { Photo } from '@feierbild/contract/entities.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPhotoList, type ListReader, type PhotoList } from './photo-list.ts';

/** Numbers of the event's photos in the order of storing; a number is the photo's position. */
let event: number[];
let asked: string[];
/** Called with each request before it is answered. */
let before: (after: number) => void | Promise<void>;
let time: number;
let feed: PhotoList;

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const photo = (n: number): Photo =>
  ({ id: `p${n}`, slideshow: true, created_at: new Date(1_779_000_000_000 + n).toISOString() }) as Partial<Photo> as Photo;
const shown = (): number[] => feed.current().photos.map(({ id }) => Number(id.slice(1)));

const readPage: ListReader<object>['page'] = async (after, limit) => {
  asked.push(`${limit} after ${after}`);
  const page = event.filter((n) => n > after).slice(0, limit);
  await before(after);
  return { photos: page.map(photo), total: event.length, next: page.at(-1) ?? after, end: page.length < limit, beside: {} };
};

beforeEach(() => {
  event = numbers(1, 250);
  asked = [];
  before = () => undefined;
  time = 1_000_000;
  feed = createPhotoList({ page: readPage }, { now: () => time });
});

describe('a feed of photos', () => {
  it('loads as many pages as it is asked for, one after the other, and knows when all are loaded', async () => {
    await feed.load(3);
    expect(feed.current()).toMatchObject({ state: 'ready', total: 250, complete: false, failures: 0 });
    expect(shown()).toEqual(numbers(1, 90));
    await feed.all();
    expect(shown()).toEqual(event);
    expect(feed.current().complete).toBe(true);
    expect(asked).toEqual(['30 after 0', '30 after 30', '30 after 60', '100 after 90', '100 after 190']);
  });

  it('misses nothing and shows nothing twice where photos go while pages are on their way', async () => {
    before = (after) => {
      if (after !== 30) return;
      event = event.filter((n) => n !== 3 && n !== 7 && n !== 40);
      feed.remove(['p3', 'p7', 'p40']);
    };
    await feed.load(3);
    expect(shown()).toEqual(event.slice(0, 87));
    expect(feed.current().total).toBe(247);
    await feed.all();
    expect(shown()).toEqual(event);
  });

  it('reads all again where it is not known what changed, and keeps the very objects that are as they were', async () => {
    await feed.load(1);
    const [first, second] = feed.current().photos;
    event = [1, ...numbers(3, 250)];
    await feed.news(null);
    expect(shown()).not.toContain(2);
    expect(shown()).toEqual(event.slice(0, shown().length));
    expect(feed.current().photos[0]).toBe(first);
    expect(feed.current().photos).not.toContain(second);
  });

  it('reads a large gallery again at most every 30 seconds, and shows newcomers meanwhile', async () => {
    event = numbers(1, 600);
    await feed.all();
    const requests = async (): Promise<number> => {
      asked = [];
      await feed.news(null);
      return asked.length;
    };
    expect(await requests()).toBeGreaterThanOrEqual(6);
    event = numbers(1, 601);
    expect(await requests()).toBe(1);
    expect(shown()).toEqual(event);
    time += 30_000;
    asked = [];
    await feed.loadNew();
    expect(asked).toContain('100 after 0');
  });

  it('goes on with what failed, and says so only where there is nothing yet', async () => {
    before = () => Promise.reject(new Error('no signal'));
    await feed.load(3);
    expect(feed.current()).toMatchObject({ state: 'failed', failures: 1, error: new Error('no signal') });
    before = (after) => (after === 60 ? Promise.reject(new Error('no signal')) : undefined);
    await feed.retry();
    expect(feed.current()).toMatchObject({ state: 'ready', failures: 2 });
    expect(shown()).toEqual(numbers(1, 60));
    before = () => undefined;
    await feed.retry();
    expect(shown()).toEqual(numbers(1, 90));
    expect(feed.current().failures).toBe(0);
  });

  it('brings a photo that is far behind, and comes to an end where it is nowhere', async () => {
    await feed.load(1);
    await feed.find('p180');
    expect(shown()).toContain(180);
    expect(feed.current().complete).toBe(false);
    await feed.find('nobody');
    expect(feed.current().complete).toBe(true);
  });

  it('asks only for what came since, and only for the number of photos before its end', async () => {
    event = numbers(1, 40);
    await feed.load(1);
    event = numbers(1, 41);
    asked = [];
    await feed.loadNew();
    expect(asked).toEqual(['1 after 30']);
    expect(feed.current().total).toBe(41);
    await feed.load(1);
    event = numbers(1, 43);
    asked = [];
    await feed.loadNew();
    expect(asked).toEqual(['100 after 41']);
    expect(shown()).toEqual(event);
    expect(feed.current().total).toBe(43);
  });

  it('advances with each answer while news come faster than answers', async () => {
    event = numbers(1, 20);
    await feed.load(1);
    const seen: number[] = [];
    before = () => {
      if (event.length >= 25) return;
      event.push(event.length + 1);
      // A request made while an answer is in flight follows it, and does not cancel it.
      void feed.loadNew();
      seen.push(shown().length);
    };
    await feed.loadNew();
    expect(seen).toEqual([20, 20, 21, 22, 23]);
    expect(shown()).toEqual(event);
  });

  it('keeps what was changed while an older answer was on its way', async () => {
    await feed.load(1);
    before = () => {
      feed.change(['p2'], { slideshow: false });
      feed.remove(['p4']);
    };
    await feed.news(null);
    expect(feed.current().photos[1]).toMatchObject({ id: 'p2', slideshow: false });
    expect(shown()).not.toContain(4);
  });

  it('takes a photo that waits for its release for decided once news put it in; one that they take out may wait', async () => {
    await feed.load(1);
    feed.change(['p2', 'p3', 'p4'], { slideshow: false, waiting: true });
    await feed.news({ gone: [], slideshow: { p2: true, p3: false }, posters: [] });
    const [, ...decided] = feed
      .current()
      .photos.slice(0, 4)
      .map(({ slideshow, waiting = false }) => ({ slideshow, waiting }));
    expect(decided).toEqual([
      { slideshow: true, waiting: false },
      { slideshow: false, waiting: true },
      { slideshow: false, waiting: true },
    ]);
  });

  it('of a wall asks for numbered changes alone, and for all where these are forgotten', async () => {
    let change: { photos: Photo[]; gone: string[] } | null = { photos: [photo(251)], gone: ['p1'] };
    let seq = 7;
    feed = createPhotoList(
      {
        page: async (after, limit) => ({ ...(await readPage(after, limit)), seq }),
        async changes(since) {
          asked.push(`since ${since}`);
          return change && { ...change, seq: ++seq, beside: {} };
        },
      },
      { shownOnly: true },
    );
    await feed.all();
    asked = [];
    await feed.loadNew();
    expect(shown()).toEqual(numbers(2, 251));
    const same = feed.current().photos;
    change = { photos: [], gone: [] };
    await feed.news(null);
    expect(feed.current().photos).toBe(same);
    expect(asked).toEqual(['since 7', 'since 8']);
    await feed.news({ gone: ['p2'], slideshow: { p3: false, p4: true }, posters: ['p5'] });
    expect(shown()).toEqual(numbers(4, 251));
    expect(feed.current().photos[1]?.preview_url).toBe('/api/photos/p5/preview?poster');
    change = null;
    asked = [];
    await feed.loadNew();
    expect(asked).toEqual(['since 9', '100 after 0', '100 after 100', '100 after 200']);
    expect(shown()).toEqual(event);
  });

  it('learns by number before its end, too, what went and what was put in among what is loaded, and misses nothing behind', async () => {
    event = numbers(1, 200).filter((n) => n !== 10);
    let seq = 7;
    feed = createPhotoList({
      page: async (after, limit) => ({ ...(await readPage(after, limit)), seq }),
      async changes() {
        event = [...numbers(2, 201)];
        return { photos: [photo(10), photo(201)], gone: ['p1'], total: event.length, seq: ++seq, beside: {} };
      },
    });
    await feed.load(1);
    expect(shown()).toEqual(numbers(1, 31).filter((n) => n !== 10));
    await feed.loadNew();
    expect(shown()).toEqual(numbers(2, 31));
    expect(feed.current()).toMatchObject({ total: 200, complete: false });
    await feed.all();
    expect(shown()).toEqual(numbers(2, 201));
  });

  it('before its end takes back in what comes again, also in the place of the last that was loaded, and shows nothing twice', async () => {
    let seq = 7;
    let change: { photos: Photo[]; gone: string[] } = { photos: [], gone: numbers(1, 30).map((n) => `p${n}`) };
    feed = createPhotoList({
      page: async (after, limit) => ({ ...(await readPage(after, limit)), seq }),
      changes: async () => ({ ...change, seq: ++seq, beside: {} }),
    });
    await feed.load(1);
    await feed.loadNew();
    expect(shown()).toEqual([]);
    // Photo 40 was stored after the loaded ones, but received among them.
    const late = { ...photo(40), created_at: photo(29).created_at };
    change = { photos: [photo(30), late], gone: [] };
    await feed.loadNew();
    expect(shown()).toEqual([40, 30]);
    await feed.load(1);
    expect(shown()).toEqual([30, ...numbers(31, 60)]);
  });

  it('puts a photo that was stored late where it was received', async () => {
    event = [1, 2, 4];
    await feed.load(1);
    const late = { ...photo(5), created_at: photo(3).created_at };
    feed = createPhotoList({
      page: async (after) => ({
        photos: after === 0 ? [photo(1), photo(2), photo(4), late] : [],
        total: 4,
        next: 5,
        end: true,
        beside: {},
      }),
    });
    await feed.load(1);
    expect(shown()).toEqual([1, 2, 5, 4]);
  });
});
