import { PHOTOS_PER_PAGE_MAX } from '@feierbild/contract/constants.ts';
import type { Photo, WaitingChanges, WaitingPage } from '@feierbild/contract/entities.ts';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { call } from '../../api/client.ts';
import { createPhotoList, type ListReader } from '../../lib/photo-list.ts';
import { usePhotoList } from '../../lib/use-photo-list.ts';
import { previewFor } from '../../video/video.ts';
import { createDecisions, hiddenOf, waitingOf } from './decisions.ts';

/** Pause between reads of the waiting photos, which come, go, and are decided about elsewhere. */
const POLL_MS = 5000;
/** Number of remaining photos below which the next page is read. */
const FEW = 20;
/** Number of pictures that are loaded ahead. */
const AHEAD = 4;

async function ask(code: string, query: { after: number; per_page?: number } | { seq: number }) {
  return call('GET /api/events/:ref/photos', { params: { ref: code }, query: { view: 'waiting', ...query } });
}

/** Reads up to a hundred waiting photos after a position. */
export const readWaiting = async (code: string, after: number, per_page = PHOTOS_PER_PAGE_MAX): Promise<WaitingPage> =>
  (await ask(code, { after, per_page })) as WaitingPage;

/** Makes the list's reader. `until`: the position up to which the total counts waiting photos. */
const readerOf = (code: string): ListReader<{ until: number }> => ({
  async page(after, limit) {
    const { until, ...page } = await readWaiting(code, after, limit);
    return { ...page, end: page.photos.length < limit, beside: { until } };
  },
  async changes(seq) {
    const { until, gone, ...changes } = (await ask(code, { seq })) as WaitingChanges;
    return gone && { ...changes, gone, beside: { until } };
  },
});

/** The question whether all photos are to be shown, as it was asked. */
export interface AllAsked {
  /** Number of these photos. */
  left: number;
  /** The photos that were read, and the position of the last one. */
  meant: readonly Photo[];
  until: number;
  /** Ids of the photos that were hidden before. */
  hidden: readonly string[];
}

/** Keeps the photos that wait for their release, and the decisions, which count at once on the screen and are sent in turn. */
export function useRelease(code: string) {
  const [list] = useState(() => createPhotoList(readerOf(code)));
  const [decisions] = useState(() => createDecisions(list, (id, body) => call('PUT /api/photos/:id/slideshow', { params: { id }, body })));
  const { photos, beside, state, error, total, complete } = usePhotoList(null, list, POLL_MS);
  const { decided, pending, sending, failed, elsewhere } = useSyncExternalStore(decisions.subscribe, decisions.current);
  const waiting = useMemo(() => waitingOf(photos, pending), [photos, pending]);
  /** The id of the photo on the screen, which stays there while others come before it. */
  const [asked, setAsked] = useState<string | null>(null);
  const photo = waiting.find(({ id }) => id === asked) ?? waiting[0] ?? null;
  if (photo && photo.id !== asked) setAsked(photo.id);

  /** Number of waiting photos in all. */
  const left = Math.max(total + waiting.length - photos.length, waiting.length);
  const isShort = waiting.length < FEW && !complete;
  useEffect(() => {
    if (isShort) void list.load(1);
  }, [isShort, list, beside]);
  useEffect(() => {
    for (const ahead of waiting.filter((other) => other !== photo).slice(0, AHEAD)) new Image().src = previewFor(ahead);
  }, [waiting, photo]);

  return {
    photo,
    failed,
    elsewhere,
    /** The error of the last request, if it failed. */
    error,
    /** Whether the server has answered. */
    ready: state === 'ready',
    left,
    /** Makes the question about all photos that wait now. */
    askAll: (): AllAsked => ({ left, meant: waiting, until: beside?.until ?? 0, hidden: hiddenOf(pending) }),
    /** Whether decisions are being sent. */
    sending: sending > 0,
    canUndo: decided.length > 0,
    decide: decisions.decide,
    undo: (): void => setAsked(decisions.undo()?.id ?? asked),
    /** Shows all photos of the question. Resolves once the server has shown them. */
    showAll: (asked: AllAsked): Promise<void> =>
      decisions.showAll(asked, async (except) => {
        const until = asked.until || (await readWaiting(code, 0)).until;
        const body = { until, ...(except.length > 0 && { except: [...except] }) };
        for (let some = 1; some > 0;) ({ left: some } = await call('POST /api/events/:ref/release/all', { params: { ref: code }, body }));
      }),
    told: decisions.read,
  };
}
