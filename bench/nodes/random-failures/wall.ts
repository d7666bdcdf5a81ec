import { setTimeout as pause } from 'node:timers/promises';
import type { SlideshowChanges, SlideshowPage } from '@feierbild/contract/entities.ts';
import { jsonOf } from './ask.ts';
import type { Party } from './deliver.ts';
import type { ClientContext } from './clients.ts';

/** Time without a heartbeat after which a page connects anew; heartbeats come every 25 s. */
const SILENT_MS = 40_000;
const RETRY_MS = 300;

export interface Wall {
  /** Returns the ids of the shown photos. */
  shows(): Set<string>;
  /** Resolves when the wall has ended. */
  ended: Promise<void>;
  end(): void;
}

/** Runs a slideshow: reads its list once, and then only the changes that live news announce, over all breaks of its stream. */
export function startWall({ ask, findings }: ClientContext, { code }: Party, cookie: string): Wall {
  const shown = new Set<string>();
  const headers = { cookie };
  const over = new AbortController();
  /** Number of the last change that is shown. */
  let seq: number | null = null;
  /** Last event id of the stream. */
  let lastId: string | null = null;
  let wanted = true;

  /** Reads the list or its changes; false: it has to be repeated. */
  async function refresh(): Promise<boolean> {
    const path = `/api/events/${code}/slideshow`;
    if (seq === null) {
      const pages: SlideshowPage[] = [];
      for (let after: number | null = 0; after !== null; after = pages.at(-1)?.next ?? null) {
        const answer = await ask({ kind: 'GET slideshow', path: `${path}?after=${after}`, headers });
        if (!answer.ok) return false;
        pages.push(jsonOf<SlideshowPage>(answer));
      }
      shown.clear();
      for (const { photos } of pages) for (const { id } of photos) shown.add(id);
      seq = pages[0]?.seq ?? null;
    } else {
      const answer = await ask({ kind: 'GET slideshow', path: `${path}?seq=${seq}`, headers });
      if (!answer.ok) return false;
      const changes = jsonOf<SlideshowChanges>(answer);
      if (changes.gone === null) {
        findings.add('the wall was told to read everything again');
        seq = null;
        return false;
      }
      for (const { id } of changes.photos) shown.add(id);
      for (const id of changes.gone) shown.delete(id);
      seq = changes.seq;
    }
    return true;
  }

  async function read(): Promise<void> {
    while (seq === null && !over.signal.aborted) await pause(RETRY_MS);
    while (!over.signal.aborted) {
      const silent = new AbortController();
      const timer = setTimeout(() => silent.abort(), SILENT_MS);
      let text = '';
      await ask({
        kind: 'GET live',
        path: `/api/events/${code}/live`,
        headers: { ...headers, 'last-event-id': lastId ?? String(seq) },
        endless: true,
        signal: AbortSignal.any([silent.signal, over.signal]),
        take(piece) {
          timer.refresh();
          text += piece;
          const blocks = text.split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) {
            lastId = /^id: (\d+)$/m.exec(block)?.[1] ?? lastId;
            wanted ||= block.includes('event: photos');
          }
        },
      });
      clearTimeout(timer);
      if (!over.signal.aborted) await pause(RETRY_MS);
    }
  }

  async function keepFresh(): Promise<void> {
    while (!over.signal.aborted) {
      if (wanted) {
        // News that comes during the refresh causes another one.
        wanted = false;
        wanted = !(await refresh()) || wanted;
      }
      await pause(RETRY_MS);
    }
  }

  const ended = Promise.all([read(), keepFresh()]).then(() => undefined);
  return { shows: () => new Set(shown), ended, end: () => over.abort() };
}
