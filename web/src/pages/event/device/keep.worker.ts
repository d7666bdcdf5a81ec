import { writeBytes } from './bytes.ts';
import { fingerprint, sha256 } from './hash.ts';

/** What the page asks for: a hash, or a copy that outlives it. */
export type Job =
  | { kind: 'hash'; file: Blob; deviceId: string; /** Null: no fingerprint is wanted. */ eventId: string | null }
  | { kind: 'copy'; file: Blob; event: string; id: string };

export type Done = { sha256: string; fingerprint: string | null } | { copied: true } | { failed: string };

/** Reads chosen files off the page's thread, one after the other. */
self.onmessage = async ({ data }: MessageEvent<Job>) => {
  let answer: Done;
  try {
    if (data.kind === 'copy') {
      await writeBytes(data.event, data.id, data.file);
      answer = { copied: true };
    } else {
      const hash = await sha256(data.file);
      answer = {
        sha256: hash.base64,
        fingerprint: data.eventId === null ? null : await fingerprint(hash.bytes, data.deviceId, data.eventId),
      };
    }
  } catch (error) {
    answer = { failed: (error as Error).name };
  }
  self.postMessage(answer);
};

self.postMessage('ready');
