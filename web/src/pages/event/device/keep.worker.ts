import { putBytes } from './database.ts';
import { fingerprint, sha256 } from './hash.ts';
import { serve } from '../../../lib/work.ts';

/** What the page asks for: a hash, or a copy that outlives it. */
export type Job =
  | { kind: 'hash'; file: Blob; deviceId: string; /** Null: no fingerprint is wanted. */ eventId: string | null }
  | { kind: 'copy'; file: Blob; event: string; id: string };

export type Done = { sha256: string; fingerprint: string | null } | { copied: true };

/** Reads chosen files off the page's thread, one after the other. */
serve(async (job: Job): Promise<Done> => {
  const bytes = await job.file.arrayBuffer();
  if (job.kind === 'copy') {
    await putBytes(job.id, job.event, bytes);
    return { copied: true };
  }
  const hash = await sha256(bytes);
  return { sha256: hash.base64, fingerprint: job.eventId === null ? null : await fingerprint(hash.bytes, job.deviceId, job.eventId) };
});
