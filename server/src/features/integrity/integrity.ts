import { setTimeout as pause } from 'node:timers/promises';
import { readSetting, writeSetting } from '../../database/settings.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { cleanText, cutText } from '../../lib/clean-text.ts';
import { systemClock } from '../../lib/clock.ts';
import { isUuid } from '../../lib/ids.ts';
import { createDigest } from '../../lib/stages.ts';
import {
  BlobDamaged,
  BlobMissing,
  blobsOf,
  eventPrefix,
  OWNER_BLOB,
  partBlob,
  partOf,
  photoOf,
  withGaps,
  type Variant,
} from '../../storage/blob-store.ts';
import { judgeRefusals } from '../../storage/refused-blobs.ts';
import { Tampered, WrongSecret } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import { isForGuests, openGalleryKey } from '../photo-keys/photo-keys.ts';
import { unnamedOf } from './blob-life.ts';
import { createIntegrityStore, type StoredPart, type StoredPhoto } from './integrity.store.ts';

/** Shortest duration of a finding: until then a blob's row may be about to be written, or a deleted photo's bytes to be removed. */
const GRACE_MS = 10_000;
const RECHECK_MS = 500;

/** Most stray files that are named; the others are counted. */
const STRAYS_NAMED = 20;
/** Longest name of a file or folder that is shown, in code points. */
const NAME_MAX = 300;

/** A problem that was found; contains only ids, and the names of files that Feierbild did not make. */
export interface Finding {
  /** Id of the photo, upload or event, key of the blob, name of the file or folder; for `further` the number of files. */
  subject: string;
  kind: 'photo' | 'upload' | 'blob' | 'folder' | 'event' | 'further';
  /** German text. */
  problem: string;
}

export interface Checked {
  photos: number;
  blobs: number;
  findings: Finding[];
}

/** The result of the check of all photos. */
export interface CheckedAll extends Checked {
  /** The error if noting the check in the database failed. */
  unnoted: unknown;
}

/** The last check of all photos and its number of problems. */
export interface LastCheck {
  /** Ms since 1970. */
  at: number;
  findings: number;
}
const LAST = 'last_check';

export type Integrity = ReturnType<typeof createIntegrity>;

/** Returns the size of a blob, bytes; null if there is none. */
type SizeOf = (key: string) => Promise<number | null>;
/** Checks a subject again. */
type Check = () => Promise<Finding[]>;

/** Creates the checks of rows and blobs. `graceMs` replaces GRACE_MS in tests. */
export function createIntegrity({
  db,
  blobs: given,
  vault,
  clock = systemClock,
  graceMs = GRACE_MS,
}: Pick<Context, 'db' | 'blobs' | 'vault'> & Partial<Pick<Context, 'clock'>> & { graceMs?: number }) {
  const store = createIntegrityStore(db, vault);
  const blobs = judgeRefusals(given);

  const checkOf = (kind: Finding['kind'], subject: string, look: () => Promise<string[]>): Check => {
    return async () => (await look()).map((problem) => ({ kind, subject, problem }));
  };

  /** Returns a check that reads the photo again. A purge, even one that was interrupted, deletes keys before it deletes photos. */
  const photoCheck = (id: string, problems: (photo: StoredPhoto) => Promise<string[]>): Check =>
    checkOf('photo', id, async () => {
      for await (const photo of store.photos({ id })) return (await store.purging()).has(photo.event_id) ? [] : problems(photo);
      return [];
    });

  /** Returns the problems of a blob's size; `size` is of the plain bytes. */
  async function sizeProblems(name: string, { key, size }: { key: string; size: number }, sizeOf: SizeOf): Promise<string[]> {
    const [stored, expected] = [await sizeOf(key), vault.sealedSize(size)];
    if (stored === null) return [`${name} fehlt`];
    return stored === expected ? [] : [`${name} hat ${stored} statt ${expected} Bytes`];
  }

  /** Returns the problems of a photo's row, its keys and the sizes of its blobs. */
  async function problemsOf(photo: StoredPhoto, sizeOf: SizeOf): Promise<string[]> {
    const problems: string[] = [];
    if (photo.sealed_for_event === null) problems.push('der Schlüssel fehlt');
    if (photo.sealed_guest_key === null) problems.push('der Schlüssel des Namens fehlt');
    if (photo.sealed_for_gallery !== null && !isForGuests(photo))
      problems.push('Gäste haben seinen Schlüssel, obwohl es nicht gezeigt wird');
    for (const blob of blobsOf(photo)) problems.push(...(await sizeProblems(NAMES[blob.variant], blob, sizeOf)));
    return problems;
  }

  async function problemsOfPart(part: StoredPart, sizeOf: SizeOf): Promise<string[]> {
    const found = await sizeProblems(`Teil ${part.n}`, { key: blobOf(part), size: part.size }, sizeOf);
    return part.key === null ? ['der Schlüssel fehlt', ...found] : found;
  }

  /** Returns a check that reads an upload's parts again. */
  const uploadCheck = (uploadId: string): Check =>
    checkOf('upload', uploadId, async () => {
      const parts = await store.parts({ uploadId });
      return (await Promise.all(parts.map((part) => problemsOfPart(part, blobs.size)))).flat();
    });

  const blobCheck = (key: string): Check =>
    checkOf('blob', key, async () => {
      const isNamed = isUuid(photoOf(key)) && (await unnamedOf(db, [key], clock.now())).length === 0;
      if (isNamed || (await blobs.size(key)) === null || (await store.purging()).has(eventOf(key))) return [];
      return [`gehört zu ${partOf(key) ? 'keiner Übertragung' : 'keinem Foto'}`];
    });

  /** Repeats the checks that found problems until they find none or graceMs have passed. */
  async function recheck(checks: Check[]): Promise<Finding[]> {
    const until = performance.now() + graceMs;
    for (let suspects = checks; ;) {
      const looked: [Check, Finding[]][] = [];
      for (const check of suspects) looked.push([check, await check()]);
      suspects = looked.filter(([, found]) => found.length > 0).map(([check]) => check);
      if (suspects.length === 0 || performance.now() >= until) return looked.flatMap(([, found]) => found);
      await pause(Math.min(RECHECK_MS, graceMs));
    }
  }

  /** Finds files in the photo store whose names are no keys. */
  async function strayFindings(strays: AsyncIterable<string>): Promise<Finding[]> {
    const problem = 'nicht von Feierbild angelegt';
    const findings: Finding[] = [];
    let seen = 0;
    for await (const name of strays) {
      seen += 1;
      if (seen <= STRAYS_NAMED) findings.push({ kind: 'blob', subject: shown(name), problem });
    }
    const further = seen - STRAYS_NAMED;
    if (further > 0) findings.push({ kind: 'further', subject: `${further} ${further === 1 ? 'Datei' : 'Dateien'}`, problem });
    return findings;
  }

  /** Reads a blob to its end and returns size and checksums. Throws BlobMissing, Tampered. */
  async function digest(photo: StoredPhoto, key: Bytes, { variant, size, key: blobKey }: ReturnType<typeof blobsOf>[number]) {
    const measure = createDigest();
    const blob = { eventId: photo.event_id, photoId: photo.id, variant };
    const opened = vault.openBlob(key, blob, size, (range) => blobs.read(blobKey, range));
    for await (const piece of measure.through(opened)) void piece;
    return measure.result();
  }

  /** Returns the problems that the decryption of a photo shows. */
  async function openProblems(photo: StoredPhoto, eventKey: Bytes, galleryKey: Bytes | null): Promise<string[]> {
    const context = { eventId: photo.event_id, photoId: photo.id };
    const { sealed_for_event: sealed, facts: sealedDigest, sealed_for_gallery: forGuests } = photo;
    if (sealed === null || sealedDigest === null) return ['der Schlüssel fehlt'];
    const problems: string[] = [];
    async function open(name: string, work: () => Promise<void> | void): Promise<void> {
      try {
        await work();
      } catch (error) {
        problems.push(`${name} ${whyClosed(error)}`);
      }
    }
    await open('Schlüssel', async () => {
      using key = vault.openPhotoKey(eventKey, sealed, context);
      if (forGuests)
        await open('Schlüssel für Gäste', () => {
          using guests = vault.openForGallery(galleryKey ?? key, forGuests, context);
          if (!Buffer.from(guests).equals(key)) throw new Tampered('the key of another photo');
        });
      const expected = vault.openDigest(key, sealedDigest, context);
      for (const blob of blobsOf(photo))
        await open(NAMES[blob.variant], async () => {
          const found = await digest(photo, key, blob);
          const same = found.size === blob.size && found.crc32 === expected.crc32 && Buffer.from(found.sha256).equals(expected.sha256);
          if (blob.variant === 'original' && !same) problems.push('Original ist nicht, was hochgeladen wurde');
        });
    });
    await open('Name', () => openDescription(photo, eventKey));
    return problems;
  }

  function openDescription({ sealed_guest_key: sealed, ...photo }: StoredPhoto, eventKey: Bytes): void {
    if (sealed === null) throw new Tampered('the key of a guest is missing');
    using key = vault.openGuestKey(eventKey, sealed, { eventId: photo.event_id, deviceHash: photo.device_hash });
    vault.openDescription(key, photo.description, { eventId: photo.event_id, photoId: photo.id });
  }

  return {
    /**
     * Checks that every row has its blobs with the right size, every blob has its row, the store holds nothing else and can be listed, and
     * counters are right. Uploads may go on.
     */
    async check(): Promise<CheckedAll> {
      const suspects: Check[] = [];
      const checked = { photos: 0, blobs: 0 };
      const events = new Set<string>();
      const unlisted = new Set<string>();
      const goOn = <T>(list: AsyncIterable<T>) => withGaps(list, ({ names }) => names.forEach((name) => unlisted.add(name)));
      // One event after another, so that only one event's rows are in memory.
      for await (const { id: eventId } of store.events()) {
        events.add(eventId);
        // Rows are read first: blobs of later uploads are then in the list without a known row, and are checked again.
        const known = await Array.fromAsync(store.photos({ eventId }));
        const parts = await store.parts({ eventId });
        const named = new Set([...known.flatMap(blobsOf).map(({ key }) => key), ...parts.map(blobOf)]);
        const sizes = new Map<string, number>();
        for await (const { key, size } of goOn(blobs.list(eventPrefix(eventId)))) {
          sizes.set(key, size);
          if (!named.has(key)) suspects.push(blobCheck(key));
        }
        const sizeOf: SizeOf = async (key) => sizes.get(key) ?? (unlisted.size > 0 ? blobs.size(key) : null);
        for (const photo of known)
          if ((await problemsOf(photo, sizeOf)).length > 0) suspects.push(photoCheck(photo.id, (now) => problemsOf(now, blobs.size)));
        for (const part of parts) if ((await problemsOfPart(part, sizeOf)).length > 0) suspects.push(uploadCheck(part.upload_id));
        checked.photos += known.length;
        checked.blobs += sizes.size;
      }
      for await (const { key } of goOn(blobs.list(''))) {
        if (events.has(eventOf(key)) || key === OWNER_BLOB) continue;
        checked.blobs += 1;
        suspects.push(blobCheck(key));
      }
      const findings = [...(await recheck(suspects)), ...(await strayFindings(goOn(blobs.strays())))];
      for (const name of unlisted)
        findings.push({ kind: name.endsWith('/') ? 'folder' : 'blob', subject: shown(name), problem: 'lässt sich nicht lesen' });
      for (const { id, counter, stored, truth } of await store.miscounted())
        findings.push({ kind: 'event', subject: id, problem: `${counter} ist ${stored} statt ${truth}` });
      const last = { at: clock.now(), findings: findings.length } satisfies LastCheck;
      let unnoted: unknown;
      await writeSetting(db, LAST, JSON.stringify(last)).catch((error: unknown) => void (unnoted = error));
      return { ...checked, findings, unnoted };
    },

    /** Returns the last check; null if there was none. */
    async last(): Promise<LastCheck | null> {
      const noted = await readSetting(db, LAST);
      return noted && (JSON.parse(noted.toString()) as LastCheck);
    },

    /** Decrypts all photos of an event with its private key, and compares the originals with the checksums sealed at the upload. */
    async openAll(eventId: string, eventKey: Bytes): Promise<Checked> {
      const checked: Checked = { photos: 0, blobs: 0, findings: [] };
      const gallery = await store.galleryKeys(eventId);
      let galleryKey: Bytes | null = null;
      try {
        galleryKey = gallery ? openGalleryKey(vault, eventKey, eventId, gallery) : null;
      } catch (error) {
        checked.findings.push({ kind: 'event', subject: eventId, problem: `Schlüssel der Galerie für Gäste ${whyClosed(error)}` });
      }
      const suspects: Check[] = [];
      for await (const photo of store.photos({ eventId })) {
        checked.photos += 1;
        checked.blobs += blobsOf(photo).length;
        if ((await openProblems(photo, eventKey, galleryKey)).length > 0)
          suspects.push(photoCheck(photo.id, (now) => openProblems(now, eventKey, galleryKey)));
      }
      checked.findings.push(...(await recheck(suspects)));
      return checked;
    },
  };
}

const NAMES: Record<Variant, string> = { original: 'Original', preview: 'Vorschau', thumbnail: 'Miniatur', large: 'Große Fassung' };

const blobOf = ({ event_id, upload_id, n }: StoredPart): string => partBlob(event_id, upload_id, n);

const shown = (name: string): string => cutText(cleanText(name), NAME_MAX);

function eventOf(key: string): string {
  return key.split('/')[1] ?? '';
}

function whyClosed(error: unknown): string {
  if (error instanceof BlobDamaged) return 'lässt sich nicht lesen';
  if (error instanceof BlobMissing) return 'fehlt';
  if (error instanceof Tampered || error instanceof WrongSecret) return 'lässt sich nicht öffnen';
  throw error;
}
