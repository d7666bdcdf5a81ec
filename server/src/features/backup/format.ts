import { z } from 'zod';

/**
 * A backup folder: `blobs/` holds sealed bytes as a folder store does, `snapshots/<time>/` a state of the database each:
 * `rows.jsonl` (a line a row), `blobs.jsonl` (a line a blob it needs) and `manifest.json`, which is written last: a snapshot
 * without it is incomplete. The same for both engines and both stores.
 */
export const FORMAT = 1;
export const ROWS = 'rows.jsonl';
export const BLOBS = 'blobs.jsonl';
export const MANIFEST = 'manifest.json';

const summed = z.object({ lines: z.int(), bytes: z.int(), sha256: z.string() });

export const Manifest = z.object({
  format: z.literal(FORMAT),
  /** Instant of the state, ISO 8601 UTC. */
  taken_at: z.iso.datetime(),
  migrations: z.array(z.string()),
  rows: summed.extend({ tables: z.record(z.string(), z.int()) }),
  blobs: summed.extend({ total_bytes: z.int() }),
  /** Photos that were deleted while their bytes were being copied: they are not restored. */
  gone: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

/** A blob that a snapshot needs; `size` in sealed bytes, SHA-256 of them in hexadecimal. */
export const BlobLine = z.object({ key: z.string(), size: z.int(), sha256: z.string() });
export type BlobLine = z.infer<typeof BlobLine>;

/** What a backup cannot do, in German, for people. */
export class BackupProblem extends Error {}
