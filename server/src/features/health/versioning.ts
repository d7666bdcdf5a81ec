import { withDeadline } from '../../lib/deadline.ts';
import type { S3Options } from '../../storage/s3-client.ts';

/** The store is asked anew after this time. */
const ASKED_MS = 10 * 60 * 1000;
/** The pages of the administration wait for the store's answer no longer. */
const STORE_MS = 3000;

/** Whether the photo store keeps what was deleted; `why`: it could not be found out. */
export interface Versioning {
  state: 'off' | 'on' | 'suspended' | 'unknown';
  why?: string;
}

/** Asks the store at most every ten minutes. */
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
