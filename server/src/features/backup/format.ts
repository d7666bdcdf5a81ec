import { z } from 'zod';

/**
 * Version of the format of a backup folder: `blobs/` contains sealed bytes like a folder store; each `snapshots/<time>/` contains one
 * state of the database: `rows.jsonl` (one line for each row), `blobs.jsonl` (one line for each blob) and `manifest.json`, which is
 * written last: a snapshot without it is incomplete. The format is the same for both databases and both stores.
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
  /** Photos that were deleted during the backup: they are not restored. */
  gone: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

/** A blob that a snapshot needs; `size` in sealed bytes, SHA-256 of them in hexadecimal. */
export const BlobLine = z.object({ key: z.string(), size: z.int(), sha256: z.string() });
export type BlobLine = z.infer<typeof BlobLine>;

/** An error of a backup, with a German message for the operator. */
export class BackupProblem extends Error {}
