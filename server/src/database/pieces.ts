import type { DeleteResult } from 'kysely';

/** Rows deleted by one statement: far from its time limit, also where each has rows that refer to it. */
export const PIECE_ROWS = 5000;

/** Repeats a deletion of up to PIECE_ROWS rows until it finds none. */
export async function inPieces(deleteSome: () => Promise<DeleteResult>): Promise<void> {
  while ((await deleteSome()).numDeletedRows > 0n);
}
