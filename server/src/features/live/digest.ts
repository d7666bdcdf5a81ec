import type { PhotoNews } from './live.ts';

/** Most changes in one message; after more of them the page loads everything again. */
const MAX_CHANGES = 500;

/** Joins several changes into one message. */
export interface Digest {
  add(news: PhotoNews | null): void;
  /** JSON of the changes since the last call: `{gone, slideshow}`, or `null` if not all of them are known. */
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
      if (gone.size + slideshow.size > MAX_CHANGES) known = false;
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
