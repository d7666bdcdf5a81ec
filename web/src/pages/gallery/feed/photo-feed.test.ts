import type { Photo } from '@feierbild/contract/entities.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPhotoFeed, type PhotoFeed } from './photo-feed.ts';

/** What the event has, oldest first; `before` is called with each page that is asked for, before it is answered. */
let event: string[];
let asked: string[];
let before: (page: number) => void | Promise<void>;
let time: number;
let feed: PhotoFeed;

const ids = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => `p${from + n}`);
const photo = (id: string): Photo => ({ id, slideshow: true }) as Photo;
const shown = (): string[] => feed.current().photos.map(({ id }) => id);

beforeEach(() => {
  event = ids(0, 250);
  asked = [];
  before = () => undefined;
  time = 1_000_000;
  feed = createPhotoFeed(
    async (page, size) => {
      asked.push(`${page}×${size}`);
      await before(page);
      const photos = event.slice((page - 1) * size, page * size).map(photo);
      return { photos, pagination: { total: event.length, total_pages: Math.ceil(event.length / size) } };
    },
    () => time,
  );
});

describe('a feed of photos', () => {
  it('reads as many pages as it is asked for, one after the other, and tells when all are here', async () => {
    await feed.load(3);
    expect(feed.current()).toMatchObject({ state: 'ready', total: 250, complete: false, failures: 0 });
    expect(shown()).toEqual(ids(0, 90));
    feed.all();
    await feed.alone(async () => undefined);
    expect(shown()).toEqual(event);
    expect(feed.current().complete).toBe(true);
    expect(asked).toEqual(['1×30', '2×30', '3×30', '1×100', '2×100', '3×100']);
  });

  it('misses nothing and shows nothing twice where photos go while pages are on their way', async () => {
    before = (page) => {
      if (page !== 2 || event.length < 250) return;
      event = event.filter((id) => id !== 'p3' && id !== 'p7');
      feed.remove(['p3', 'p7']);
    };
    await feed.load(3);
    expect(shown()).toEqual(event.slice(0, shown().length));
    expect(shown().length).toBeGreaterThanOrEqual(88);
    expect(feed.current().total).toBe(248);
  });

  it('shows nothing again that went while its page was on its way', async () => {
    before = (page) => {
      // The answer was made before.
      if (page === 1) feed.remove(['p5']);
    };
    await feed.load(1);
    expect(shown()).not.toContain('p5');
  });

  it('reads all again where nobody said what changed, and keeps the very objects that are as they were', async () => {
    await feed.load(1);
    const [first, second] = feed.current().photos;
    event = ['p0', ...ids(2, 250)];
    feed.markStale();
    feed.lookForNew();
    await feed.alone(async () => undefined);
    expect(shown()).not.toContain('p1');
    expect(shown()).toEqual(event.slice(0, shown().length));
    expect(feed.current().photos[0]).toBe(first);
    expect(feed.current().photos).not.toContain(second);
  });

  it('reads a large gallery again at most every 30 seconds, and does so then', async () => {
    event = ids(0, 600);
    feed.all();
    await feed.alone(async () => undefined);
    const again = async (): Promise<number> => {
      asked = [];
      feed.markStale();
      feed.lookForNew();
      await feed.alone(async () => undefined);
      return asked.length;
    };
    expect([await again(), await again()]).toEqual([6, 0]);
    time += 30_000;
    expect(await again()).toBe(6);
  });

  it('reads no more than three times what changes each time, and goes on at the next look', async () => {
    await feed.load(1);
    let n = 0;
    before = () => void (event = event.slice(1 + (n++ % 2)));
    asked = [];
    event = ids(0, 250);
    feed.all();
    await feed.alone(async () => undefined);
    expect(asked.length).toBeLessThanOrEqual(3 + 3 * 3);
    before = () => undefined;
    feed.lookForNew();
    await feed.alone(async () => undefined);
    expect(shown()).toEqual(event);
  });

  it('owes the pages that failed, says so only where there is nothing yet, and brings them when it tries again', async () => {
    before = () => Promise.reject(new Error('no signal'));
    await feed.load(3);
    expect(feed.current()).toMatchObject({ state: 'failed', failures: 1, error: new Error('no signal') });
    before = (page) => (page === 3 ? Promise.reject(new Error('no signal')) : undefined);
    feed.again();
    await feed.alone(async () => undefined);
    expect(feed.current()).toMatchObject({ state: 'ready', failures: 2 });
    expect(shown()).toEqual(ids(0, 60));
    before = () => undefined;
    feed.again();
    await feed.alone(async () => undefined);
    expect(shown()).toEqual(ids(0, 90));
    expect(feed.current().failures).toBe(0);
  });

  it('brings a photo that is far behind, and comes to an end where it is nowhere', async () => {
    await feed.load(1);
    feed.find('p180');
    await feed.alone(async () => undefined);
    expect(shown()).toContain('p180');
    expect(feed.current().complete).toBe(false);
    feed.find('nobody');
    await feed.alone(async () => undefined);
    expect(feed.current().complete).toBe(true);
  });

  it('finds newcomers at its end, and changes nothing for who is still reading', async () => {
    event = ids(0, 40);
    await feed.load(1);
    asked = [];
    feed.lookForNew();
    expect(asked).toEqual([]);
    await feed.load(1);
    expect(feed.current().complete).toBe(true);
    event = ids(0, 43);
    feed.lookForNew();
    await feed.alone(async () => undefined);
    expect(shown()).toEqual(event);
    expect(feed.current().total).toBe(43);
  });

  it('lets work that deletes wait until no page is on its way', async () => {
    const order: string[] = [];
    const arrive = Promise.withResolvers<void>();
    before = async () => {
      await arrive.promise;
      order.push('page');
    };
    const loading = feed.load(1);
    const deleting = feed.alone(async () => void order.push('deletion'));
    arrive.resolve();
    await Promise.all([loading, deleting]);
    expect(order).toEqual(['page', 'deletion']);
  });
});
