import { PHOTOS_PER_PAGE_MAX } from '@feierbild/contract/constants.ts';
import type { Photo, PhotosAfter, Approval } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { call, isRefusal } from '../../api/client.ts';
import { previewFor } from '../../video/video.ts';
import { EMPTY, reduce } from './queue.ts';

/** How often the page asks what waits: photos come, go, and are decided about elsewhere. */
const POLL_MS = 5000;
/** With so few left the next page is read. */
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
  /** What the total counts, for a decision about all of it. */
  const [until, setUntil] = useState(0);
  /** Where the page behind the first begins; 0: there is none. */
  const next = useRef(0);
  const { waiting, decided } = queue;
  /** Photos whose decision the server may not show yet, until an instant (`performance.now()`). */
  const settling = useRef(new Map<string, number>());
  /** What each photo's last call was, so that taking back comes after. */
  const sent = useRef(new Map<string, Promise<unknown>>());
  const [sending, setSending] = useState(0);
  const running = useRef({ count: 0, next: [] as (() => void)[] });

  const load = useCallback(
    async (after: number): Promise<void> => {
      const answer = await readWaiting(code, after);
      const now = performance.now();
      const photos = answer.photos.filter(({ id }) => (settling.current.get(id) ?? 0) < now);
      const whole = answer.photos.length < PHOTOS_PER_PAGE_MAX;
      const unsure = new Set([...settling.current].flatMap(([id, at]) => (at >= now ? id : [])));
      dispatch(after === 0 ? { type: 'are', photos, unsure, whole } : { type: 'came', photos });
      setTotal(answer.total - (answer.photos.length - photos.length));
      setUntil(answer.until ?? 0);
      setTrouble(null);
      next.current = whole ? 0 : answer.next;
    },
    [code],
  );

  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') load(0).catch(setTrouble);
    };
    look();
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [load]);

  const few = waiting.length < FEW;
  useEffect(() => {
    if (few && next.current > 0) load(next.current).catch(setTrouble);
  }, [few, load]);

  useEffect(() => {
    for (const photo of waiting.slice(1, 1 + AHEAD)) new Image().src = previewFor(photo);
  }, [waiting]);

  /** In turn: AT_ONCE at a time, and for one photo one after the other. */
  const send = useCallback((photo: Photo, body: { value?: boolean; waiting?: true; believed: Approval }): void => {
    const places = running.current;
    const { id } = photo;
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
    settling.current.set(id, Infinity);
    setSending((before) => before + 1);
    const settled = (): void => void (sent.current.get(id) === done && settling.current.set(id, performance.now() + SETTLED_MS));
    void done
      .then(settled, (error: unknown) => {
        settling.current.delete(id);
        if (isRefusal(error, 'photo_not_found')) dispatch({ type: 'gone', id });
        else if (isRefusal(error, 'decided_elsewhere')) dispatch({ type: 'elsewhere', id });
        else {
          console.error(error);
          dispatch({ type: 'failed', photo });
        }
      })
      .finally(() => setSending((before) => before - 1));
  }, []);

  const decide = useCallback(
    (photo: Photo, shown: boolean): void => {
      dispatch({ type: 'decided', id: photo.id, shown });
      setTotal((before) => before && before - 1);
      send(photo, { value: shown, believed: 'waiting' });
    },
    [send],
  );

  return {
    ...queue,
    trouble,
    left: Math.max(total ?? 0, waiting.length),
    /** The server has answered. */
    ready: total !== null,
    /** What `left` counts, for `showAll`. */
    until,
    /** Decisions that have not arrived. */
    sending,
    decide,
    undo(): void {
      const last = decided.at(-1);
      if (!last) return;
      dispatch({ type: 'undone' });
      setTotal((before) => (before !== null ? before + 1 : before));
      send(last.photo, { waiting: true, believed: last.shown ? 'shown' : 'hidden' });
    },
    /** Shows everything that waited when `until` was read. Resolves once the server has shown it. */
    async showAll(as: number): Promise<void> {
      // What was taken back waits only once that has arrived.
      await Promise.allSettled(sent.current.values());
      const body = { until: as || ((await readWaiting(code, 0)).until ?? 0) };
      for (let left = 1; left > 0;) ({ left } = await call('POST /api/events/:ref/release/all', { params: { ref: code }, body }));
      await load(0);
    },
    told: () => dispatch({ type: 'told' }),
  };
}
