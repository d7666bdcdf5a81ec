import { randomBytes } from 'node:crypto';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { LARGE_SIZE, MAX_PIXELS, PREVIEW_SIZE, SAME_SHAPE, THUMBNAIL_SIZE } from '@feierbild/contract/constants.ts';
import { recordChange } from '../../database/changes.ts';
import type { PhotoRow } from '../../database/rows.ts';
import type { Trx } from '../../database/schema.ts';
import { NotAPhoto, type Asker, type Decoded, type Rendition as Rendered } from '../../images/decoder.ts';
import { drawnPoster } from '../../images/drawn-poster.ts';
import { createFairSemaphore } from '../../lib/concurrency/fair-semaphore.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { remember } from '../../lib/remember.ts';
import { collect, single } from '../../lib/stages.ts';
import { BlobMissing, photoBlob, type Derived, type Variant } from '../../storage/blob-store.ts';
import { asKey, Tampered, type Key } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import type { Audit } from '../audit/audit.ts';
import type { BlobLife } from '../integrity/blob-life.ts';
import { renditionOf, type PhotoStore, type Rendition } from './photos.store.ts';
import { CLOSED, createSharedRuns, type Run } from './shared-runs.ts';

/** Photos that may wait in memory, with their keys, for a preview; the first view makes the previews of the others. */
const QUEUED_PHOTOS = 1000;
/** Photos whose preview failed, remembered so that not each view tries again. */
const FAILED_PHOTOS = 1000;
/** Previews that are being stored at a time, each some 300 KB of memory. */
const KEPT_AT_ONCE = 64;
/** Large pictures that may wait to be made, and for how long: a wall then goes on with the preview and asks again. */
const LARGE_WAITING = 8;
const LARGE_WAIT_MS = 20_000;
/** Length of the random name of a blob's version. */
const VERSION_BYTES = 8;

type Size = Pick<PhotoRow, 'width' | 'height'>;
export const isSameShape = (drawn: Size, shown: Size): boolean =>
  Math.abs((drawn.width * shown.height) / (drawn.height * shown.width) - 1) <= SAME_SHAPE;

/** Thumbnail and preview made from a picture that a browser has drawn. */
export type Redrawn = Decoded & { preview: Rendered };

/**
 * Mean difference in brightness (of 255) up to which preview and original are the same picture: browsers scale, round and convert
 * differently.
 */
const ALIKE = 12;
/** Results of a verification that pages are told of, each with its entry in the audit log. */
const NEWS = { verified: null, replaced: 'preview.replaced', unreadable: 'original.unreadable' } as const;

/** Creates the name of a new version of a thumbnail or preview. */
export const newVersion = (): string => randomBytes(VERSION_BYTES).toString('hex');
const idOf = ({ id }: { id: string }, variant: Derived | 'verification'): string => `${id}.${variant}`;

interface Deps extends Pick<Context, 'blobs' | 'vault' | 'decoder' | 'clock' | 'log'> {
  store: Pick<PhotoStore, 'saveRendition' | 'saveVerification' | 'askAgain'>;
  audit: Pick<Audit, 'record'>;
  blobLife: Pick<BlobLife, 'changeBlobs'>;
  /** Reads bytes of one of the photo's blobs. */
  open(key: Key, photo: PhotoRow, variant: Variant): AsyncIterable<Bytes>;
}

/**
 * Makes thumbnails and previews of stored photos, and verifies received ones: at once if somebody waits for the result, otherwise behind
 * all such work.
 */
export function createPreviews({ blobs, vault, decoder, store, blobLife, audit, clock, log, open }: Deps) {
  const waiting = new Map<string, { photo: PhotoRow; key: Key }>();
  const runs = createSharedRuns<Rendition | null>();
  const failed = new Set<string>();
  const turns = createFairSemaphore(1, { maxWaiting: LARGE_WAITING, maxWaitMs: LARGE_WAIT_MS });
  let keeping = 0;
  let working = false;
  let closed = false;

  /** Makes a picture. Each version has its own blob, so that a node that fails or comes second overwrites nothing. */
  async function make(photo: PhotoRow, variant: Derived, key: Key, run: Run): Promise<Rendition | null> {
    if (photo.codecs === null && STATE_RULES[photo.state].handedOut)
      return place(photo, variant, key, await render(photo, 'original', variant, key, run));
    // A video's preview is drawn by its device or the host's browser. If the original is missing, the preview is the one that the phone
    // sent.
    if (variant !== 'thumbnail') return null;
    const still = renditionOf(photo, 'preview') && (await render(photo, 'preview', variant, key, run).catch(lost));
    return place(photo, variant, key, still ?? drawnPoster({ ...photo, durationMs: photo.duration_ms }, THUMBNAIL_SIZE));
  }

  /** Returns null for a still that is lost or was changed; throws other errors. */
  function lost(error: unknown): null {
    if (error instanceof BlobMissing || error instanceof Tampered) return null;
    throw error;
  }

  /** Decodes one of the photo's blobs. */
  async function render(photo: PhotoRow, from: Variant, variant: Derived, key: Key, run: Run): Promise<Rendered> {
    const { size } = renditionOf(photo, from) as Rendition;
    const bytes = () => open(key, photo, from);
    const asker = { owner: photo.event_id };
    if (variant === 'thumbnail') return (await decoder.decode(bytes, size, asker)).thumbnail;
    const edge = variant === 'large' ? LARGE_SIZE : PREVIEW_SIZE;
    return runs.decoding(run, (urgency) => decoder.preview(bytes, size, { ...asker, ...urgency, edge }));
  }

  /** Stores a picture and names it in the row. */
  async function place(
    photo: PhotoRow,
    variant: Derived,
    key: Bytes,
    { bytes, type }: Rendered,
    withUpload = false,
  ): Promise<Rendition | null> {
    const { id: photoId, event_id: eventId } = photo;
    const replaced = photo[`${variant}_attempt`];
    const version = newVersion();
    const blob = photoBlob(eventId, photoId, variant, version);
    const sealed = await collect(vault.sealBlob(key, { eventId, photoId, variant }, single(bytes)));
    const posterOf = variant === 'preview' && photo.codecs !== null ? eventId : null;
    // The first preview, or large picture, replaces nothing.
    const before = variant !== 'thumbnail' && replaced === null ? [] : [photoBlob(eventId, photoId, variant, replaced)];
    const named = await blobLife.changeBlobs({
      placed: { [blob]: (name) => blobs.put(name, sealed) },
      dropped: before,
      commit: () => store.saveRendition(photoId, variant, { type, size: bytes.length, version }, replaced, posterOf, withUpload),
      unnamed: (saved) => (saved?.version === version ? before : [blob]),
      // ZIPs contain the phone's preview.
      later: variant === 'preview' && !['server', 'upload'].includes(photo.drawn_by),
    });
    return named ?? null;
  }

  async function attempt(photo: PhotoRow, variant: Derived, key: Key, run: Run): Promise<Rendition | null> {
    try {
      return await make(photo, variant, key, run);
    } catch (error) {
      if (!(error instanceof NotAPhoto)) throw error;
      remember(failed, idOf(photo, variant), FAILED_PHOTOS);
      return null;
    }
  }

  function drop(id: string): void {
    waiting.get(id)?.key[Symbol.dispose]();
    waiting.delete(id);
  }

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    while (!closed) {
      const next = waiting.values().next().value;
      if (!next) break;
      waiting.delete(next.photo.id);
      using key = next.key;
      const { photo } = next;
      const isReceived = photo.state === 'received';
      const making = (run: Run) => (isReceived ? verify(photo, key, run) : attempt(photo, 'preview', key, run));
      await runs.share(idOf(photo, isReceived ? 'verification' : 'preview'), false, making).catch((error: unknown) => {
        // Outages are logged elsewhere.
        if (error !== CLOSED && !(error instanceof Unavailable)) log.warn({ err: error }, 'a preview was not made');
      });
    }
    working = false;
  }

  const saveVerification = (photo: PhotoRow, settled: Pick<PhotoRow, 'state' | 'drawn_by'>, news?: keyof typeof NEWS) => {
    const { id, event_id: eventId } = photo;
    const tell =
      (what: keyof typeof NEWS) =>
      async (trx: Trx): Promise<void> => {
        await recordChange(trx, eventId, what, id);
        const action = NEWS[what];
        if (action === null) return;
        const event = await trx.selectFrom('events').select('code').where('id', '=', eventId).executeTakeFirstOrThrow();
        await audit.record({ actor: 'system', action, eventId, eventCode: event.code }, trx);
      };
    return store.saveVerification(photo, settled, news ? tell(news) : null, clock.now());
  };

  /**
   * Decodes an original that was received after its preview, and compares the two. If they show different pictures, the server draws its
   * own preview; if the original cannot be decoded, the preview stays. Does nothing if another node was first. Throws if database, store or
   * decoder fail: the photo stays received.
   */
  async function verify(photo: PhotoRow, key: Key, run: Run): Promise<null> {
    try {
      const isMarked = photo.drawn_by === 'replaced';
      const likeness = isMarked ? null : await collect(open(key, photo, 'thumbnail')).catch(lost);
      const original = () => open(key, photo, 'original');
      const asker = likeness && { owner: photo.event_id, likeness };
      const { difference } = asker
        ? await runs.decoding(run, (urgency) => decoder.probe(original, photo.size, { ...asker, ...urgency }))
        : {};
      const isOther = isMarked || (difference ?? 0) > ALIKE;
      const isAlike = !isOther && difference !== undefined;
      // Written before the server's own picture: after a crash the next process must not compare that picture with its own original.
      // Nobody has decided yet about the new picture.
      if (isOther) await saveVerification(photo, { state: 'received', drawn_by: 'replaced' });
      const redrawn = isAlike ? [] : [await make(photo, 'thumbnail', key, run), await make(photo, 'preview', key, run)];
      if (redrawn.includes(null)) return null;
      const drawn_by = isAlike ? 'phone' : isOther ? 'replaced' : 'server';
      await saveVerification(photo, { state: 'stored', drawn_by }, isOther ? 'replaced' : isAlike ? 'verified' : undefined);
    } catch (error) {
      if (error instanceof NotAPhoto) {
        log.warn({ photo: photo.id }, 'an original cannot be decoded: its preview stays');
        await saveVerification(photo, { state: 'unreadable', drawn_by: 'phone' }, 'unreadable');
        return null;
      }
      // A photo whose original is lost is not tried at each view: the integrity check reports it.
      if (lost(error) === null) remember(failed, idOf(photo, 'verification'), FAILED_PHOTOS);
      log.error({ err: error, photo: photo.id }, 'an original was lost before it was decoded');
      throw error;
    }
    return null;
  }

  /** Makes thumbnail and preview from a picture that a browser has drawn. Throws NotAPhoto, also above `maxPixels`. */
  async function redraw(picture: Bytes, asker: Asker, maxPixels = MAX_PIXELS): Promise<Redrawn> {
    const { preview, ...drawn } = await decoder.decode(() => single(picture), picture.length, { ...asker, withPreview: { maxPixels } });
    if (!preview) throw new NotAPhoto('the decoder answers nonsense');
    return { ...drawn, preview };
  }

  return {
    redraw,
    /** Decodes a received photo now and compares it with its preview. Throws if database, store or decoder fail. */
    async verify(photo: PhotoRow, openKey: () => Key): Promise<void> {
      drop(photo.id);
      using key = openKey();
      await runs.share(idOf(photo, 'verification'), true, (run) => verify(photo, key, run));
    },
    /**
     * Makes a preview, or verifies a received photo, in the background; skips videos, which get their still from a browser. Keeps a copy of
     * the key until then.
     */
    later(photo: PhotoRow, key: Bytes): void {
      if (photo.codecs !== null || closed || waiting.size >= QUEUED_PHOTOS || waiting.has(photo.id)) return;
      if (failed.has(idOf(photo, 'verification'))) return;
      waiting.set(photo.id, { photo, key: asKey(Buffer.from(key)) });
      void work();
    },
    /**
     * Stores the preview that was made with an upload, in the background. If that fails, or too many are being stored, the first view makes
     * the preview.
     */
    keep(photo: PhotoRow, key: Bytes, preview: Rendered): void {
      if (closed || keeping >= KEPT_AT_ONCE) return;
      keeping += 1;
      const own = asKey(Buffer.from(key));
      void runs
        .share(idOf(photo, 'preview'), false, () => place(photo, 'preview', own, preview, true))
        .catch((error: unknown) => log.warn({ err: error }, 'a preview was not stored'))
        .finally(() => {
          own[Symbol.dispose]();
          keeping -= 1;
        });
    },
    /**
     * Makes a large picture behind all other work, one on this node at a time: its decoding costs as much as several uploads. Returns null
     * if none can be made. Throws Refusal unavailable if too many wait.
     */
    large: (photo: PhotoRow, openKey: () => Key): Promise<Rendition | null> =>
      failed.has(idOf(photo, 'large'))
        ? Promise.resolve(null)
        : runs.share(idOf(photo, 'large'), false, (run) =>
            turns.run([photo.event_id], async () => {
              using key = openKey();
              return await attempt(photo, 'large', key, run);
            }),
          ),
    /** Makes a preview or thumbnail at once; callers that come meanwhile share the result. Returns null if none can be made. */
    async now(photo: PhotoRow, variant: 'preview' | 'thumbnail', openKey: () => Key): Promise<Rendition | null> {
      if (failed.has(idOf(photo, variant))) return null;
      return runs.share(idOf(photo, variant), true, async (run) => {
        if (variant === 'preview') drop(photo.id);
        using key = openKey();
        return await attempt(photo, variant, key, run);
      });
    },
    /**
     * Makes a video's thumbnail and preview from a still picture. `isHosts`: the host's browser has drawn it; a still of anybody else makes
     * a released video wait for its release again. Throws Refusal not_a_photo, poster_refused.
     */
    async poster(video: PhotoRow, picture: Bytes, openKey: () => Key, isHosts: boolean): Promise<void> {
      using key = openKey();
      try {
        const { thumbnail, preview, ...shown } = await redraw(picture, { owner: video.event_id });
        if (!isSameShape(shown, video)) throw new Refusal('poster_refused');
        // The video waits before any part of the still is in its row.
        if (!isHosts) await store.askAgain(video, clock.now());
        await place(video, 'thumbnail', key, thumbnail);
        // The preview comes last: it marks the video as having its poster.
        await place(video, 'preview', key, preview);
      } catch (error) {
        throw error instanceof NotAPhoto ? new Refusal('not_a_photo', { cause: error }) : error;
      }
    },
    async close(): Promise<void> {
      closed = true;
      for (const id of waiting.keys()) drop(id);
      await runs.close();
    },
  };
}
