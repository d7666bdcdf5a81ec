import type { FastifyRequest } from 'fastify';
import { formOf, piecesOf } from '../../http/form.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import type { IncomingUpload } from '../uploads/intake/form-intake.ts';
import type { Targets } from '../webhooks/target.ts';

/** Most parts of a form; photo booths' software sends other fields beside the picture. */
const FORM_PARTS = 100;
/** Pictures that are fetched at the same time, in all and per event; longest wait for a turn and longest fetch, ms. */
const FETCHES = 8;
const FETCHES_OF_EVENT = 2;
const FETCH_WAIT_MS = 60_000;
const FETCH_MS = 5 * 60_000;
/** Time that all of a report's addresses may take together: a base in ms, and ms per received byte (64 KB/s). */
const PATIENCE_MS = 30_000;
const PATIENCE_PER_BYTE_MS = 1 / 64;
/** Most addresses of a report that are fetched, pages and pictures. */
const ASKED = 4;
const PICTURE = /\.(?:jpe?g|png|webp|gif|avif|hei[cf]|mp4|mov|webm)$/i;
const PICTURE_TYPE = /^(?:image|video)\//i;

/** A form with one picture, as it arrives. */
export type MediaForm = Pick<IncomingUpload, 'form' | 'contentLength' | 'isBare' | 'connection'>;

export async function* oneFile(filename: string, bytes: AsyncIterable<Bytes>): IncomingUpload['form'] {
  yield { kind: 'file', filename, bytes };
}

/** Yields the one file of a form, under any field's name; drops other fields. Throws Refusal `invalid_input` for a second file. */
export async function* anyFile(request: FastifyRequest): IncomingUpload['form'] {
  let files = 0;
  for await (const { filename, bytes } of formOf(request, FORM_PARTS)) {
    if (filename === null) for await (const _ of bytes);
    else if (++files > 1) throw new Refusal('invalid_input');
    else yield { kind: 'file', filename, bytes };
  }
}

/** Creates the fetching of pictures that a report (a webhook's JSON) names. Checks their addresses like those of our own webhooks. */
export function createMedia({
  targets,
  ending,
  patienceMs = PATIENCE_MS,
}: { targets: Pick<Targets, 'get'>; /** Replaces PATIENCE_MS in tests. */ patienceMs?: number } & Pick<Context, 'ending'>) {
  const places = createFairSemaphore(([event]) => (event === undefined ? FETCHES : FETCHES_OF_EVENT), { maxWaitMs: FETCH_WAIT_MS });

  return {
    /**
     * Passes the first picture among a report's addresses to `store` and returns its result. Throws Refusal `media_unreachable`, and the
     * errors of `store`.
     */
    async fetched<T>(report: unknown, eventId: string, store: (form: MediaForm) => Promise<T>): Promise<T> {
      using _place = await places.acquire([eventId]);
      let refusal = new Refusal('media_unreachable');
      const since = performance.now();
      let bytes = 0;
      const isLate = (): boolean => performance.now() - since > patienceMs + bytes * PATIENCE_PER_BYTE_MS;
      // A real source sends its picture fast; a slow one would keep the places of its event.
      async function* inTime(pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
        for await (const piece of pieces) {
          bytes += piece.length;
          if (isLate()) throw new Refusal('media_unreachable');
          yield piece;
        }
      }
      for (const url of addressesIn(report).slice(0, ASKED)) {
        if (isLate()) break;
        const ended = new AbortController();
        const gone = AbortSignal.any([ending, ended.signal, AbortSignal.timeout(FETCH_MS)]);
        const answer = await targets.get(url, gone);
        try {
          if (answer?.statusCode !== 200 || !isPicture(url, answer.headers['content-type'])) continue;
          const length = Number(answer.headers['content-length'] ?? NaN);
          const contentLength = Number.isSafeInteger(length) ? length : null;
          // The picture's address counts as the sender, as the booth that reported it may be gone by now.
          const connection = { gone, hangUp: () => answer.destroy() };
          return await store({ form: oneFile(nameOf(url), inTime(piecesOf(answer))), contentLength, isBare: true, connection });
        } catch (error) {
          // The address may return a drawing; another address may have the picture.
          if (!(error instanceof Refusal && error.code === 'not_a_photo')) throw error;
          refusal = error;
        } finally {
          ended.abort();
        }
      }
      throw refusal;
    },
  };
}

/** Returns all addresses in a report, those with a picture's name first. */
function addressesIn(report: unknown): URL[] {
  const values = [report];
  for (const value of values) if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) values.push(inner);
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const urls = [...texts].flatMap((text) => (/^https?:/i.test(text) && URL.canParse(text) ? [new URL(text)] : []));
  return urls.toSorted((a, b) => Number(PICTURE.test(b.pathname)) - Number(PICTURE.test(a.pathname)));
}

/** Returns whether an answer is a picture; file stores send pictures as a mere byte stream, so that the name decides. */
function isPicture(url: URL, type = ''): boolean {
  return PICTURE_TYPE.test(type) || (/^(?:application|binary)\/octet-stream/i.test(type) && PICTURE.test(url.pathname));
}

function nameOf({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
