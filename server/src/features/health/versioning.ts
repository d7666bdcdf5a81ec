import { withDeadline } from '../../lib/deadline.ts';
import type { S3Options } from '../../storage/s3-client.ts';

/** Validity of the store's answer. */
const ASKED_MS = 10 * 60 * 1000;
/** Longest time for the store's answer; the administration's pages wait for it. */
const STORE_MS = 3000;

/** Whether the photo store keeps deleted bytes; `why` is the reason if that is unknown. */
export interface Versioning {
  state: 'off' | 'on' | 'suspended' | 'unknown';
  why?: string;
}

/** Returns a function that asks the store, at most every ten minutes. */
export function createVersioning(s3: S3Options | null): () => Promise<Versioning> {
  let asked: { at: number; answer: Promise<Versioning> } | null = null;

  async function ask(options: S3Options): Promise<Versioning> {
    const { bucketVersioning } = await import('../../storage/s3-client.ts');
    return withDeadline(bucketVersioning(options), STORE_MS, 'the bucket').then(
      (state) => ({ state }),
      () => ({ state: 'unknown' }),
    );
  }

  return () => {
    if (!s3) return Promise.resolve({ state: 'off' });
    if (!asked || performance.now() - asked.at > ASKED_MS) asked = { at: performance.now(), answer: ask(s3) };
    const { answer } = asked;
    answer.catch(() => void (asked = null));
    return answer;
  };
}
