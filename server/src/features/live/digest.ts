import type { PhotoNews } from './live.ts';

/** Changes that are worth naming; whoever missed more asks for all. */
const NAMED = 500;

/** Joins news that come close to each other into one message. */
export interface Digest {
  add(news: PhotoNews | null): void;
  /** JSON of what was added since the last time: `{gone, slideshow}`, or `null` where not all is known. */
  take(): string;
}

export function createDigest(): Digest {
  let gone = new Set<string>();
  let slideshow = new Map<string, boolean>();
  let known = true;
  return {
    add(news) {
      if (news === null) known = false;
      else if (news === 'came') return;
      else if ('gone' in news) gone.add(news.gone);
      else slideshow.set(news.id, news.slideshow);
      if (gone.size + slideshow.size > NAMED) known = false;
    },
    take() {
      const text = known ? JSON.stringify({ gone: [...gone], slideshow: Object.fromEntries(slideshow) }) : 'null';
      gone = new Set();
      slideshow = new Map();
      known = true;
      return text;
    },
  };
}
