import { PHOTOS_PER_PAGE_MAX } from '@feierbild/contract/constants.ts';
import type { PhotosAfter } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { previewFor } from '../../video/video.ts';
import { EMPTY, reduce } from './queue.ts';

/** How often the page asks for photos that came, and with how few left it does. */
const POLL_MS = 5000;
const FEW = 20;
/** Pictures that are loaded ahead. */
const AHEAD = 4;
/** An answer that was on its way when a decision arrived is there by then, ms. */
const SETTLED_MS = 10_000;
/** Decisions on their way at a time. */
const AT_ONCE = 4;

/** Up to a hundred photos that wait, behind a position. */
export async function readWaiting(code: string, after: number): Promise<PhotosAfter> {
  const query = { view: 'waiting', after, per_page: PHOTOS_PER_PAGE_MAX } as const;
  return (await call('GET /api/events/:ref/photos', { params: { ref: code }, query })) as PhotosAfter;
}

/** The photos that wait for their release, and what is decided about them: at once on the screen, in turn at the server. */
export function useRelease(code: string) {
  const [queue, dispatch] = useReducer(reduce, EMPTY);
  const [total, setTotal] = useState<number | null>(null);
  const [trouble, setTrouble] = useState<unknown>(null);
  const cursor = useRef(0);
  const { waiting, decided } = queue;
  /** Photos whose decision the server may not show yet, until an instant (`performance.now()`). */
  const settling = useRef(new Map<string, number>());
  /** What each photo's last call was, so that taking back comes after. */
  const sent = useRef(new Map<string, Promise<unknown>>());
  const running = useRef({ count: 0, next: [] as (() => void)[] });

  const load = useCallback(async (): Promise<boolean> => {
    const answer = await readWaiting(code, cursor.current);
    const now = performance.now();
    const photos = answer.photos.filter(({ id }) => (settling.current.get(id) ?? 0) < now);
    dispatch({ type: 'came', photos });
    setTotal(answer.total - (answer.photos.length - photos.length));
    setTrouble(null);
    const isEnd = answer.photos.length < PHOTOS_PER_PAGE_MAX;
    // What was taken back elsewhere waits further in front.
    cursor.current = isEnd ? 0 : answer.next;
    return isEnd;
  }, [code]);

  const few = waiting.length < FEW;
  useEffect(() => {
    if (!few) return;
    const look = (): void => {
      if (document.visibilityState === 'visible') load().catch(setTrouble);
    };
    look();
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [few, load]);

  useEffect(() => {
    for (const photo of waiting.slice(1, 1 + AHEAD)) new Image().src = previewFor(photo);
  }, [waiting]);

  /** In turn: AT_ONCE at a time, and for one photo one after the other. */
  const send = useCallback((id: string, body: { value?: boolean; waiting?: true }): void => {
    const places = running.current;
    const work = async (): Promise<void> => {
      await sent.current.get(id)?.catch(() => undefined);
      if (places.count >= AT_ONCE) await new Promise<void>((resolve) => places.next.push(resolve));
      places.count += 1;
      try {
        await call('PUT /api/photos/:id/slideshow', { params: { id }, body });
      } finally {
        places.count -= 1;
        places.next.shift()?.();
      }
    };
    const done = work();
    sent.current.set(id, done);
    settling.current.set(id, body.waiting ? 0 : Infinity);
    const settled = (): void => void (settling.current.get(id) === Infinity && settling.current.set(id, performance.now() + SETTLED_MS));
    done.then(settled, (error: unknown) => {
      settling.current.delete(id);
      console.error(error);
      dispatch({ type: 'failed', id });
    });
  }, []);

  const decide = useCallback(
    (id: string, shown: boolean): void => {
      dispatch({ type: 'decided', id, shown });
      setTotal((before) => before && before - 1);
      send(id, { value: shown });
    },
    [send],
  );

  return {
    ...queue,
    trouble,
    left: Math.max(total ?? 0, waiting.length),
    /** The server has answered. */
    ready: total !== null,
    decide,
    undo(): void {
      const last = decided.at(-1);
      if (!last) return;
      dispatch({ type: 'undone' });
      setTotal((before) => (before !== null ? before + 1 : before));
      send(last.photo.id, { waiting: true });
    },
    /** Shows everything that waits now. */
    async showAll(): Promise<void> {
      const all = [...waiting];
      for (let after = 0; ;) {
        const { photos, next } = await readWaiting(code, after);
        dispatch({ type: 'came', photos });
        all.push(...photos);
        after = next;
        if (photos.length < PHOTOS_PER_PAGE_MAX) break;
      }
      for (const id of new Set(all.map((photo) => photo.id))) decide(id, true);
    },
    told: () => dispatch({ type: 'told' }),
  };
}
