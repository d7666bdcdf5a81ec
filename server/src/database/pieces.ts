import type { DeleteResult } from 'kysely';

/** Rows deleted by one statement: far from its time limit, and so few that PostgreSQL finds them by their ids (with 5,000 it read the whole table). */
export const PIECE_ROWS = 1000;

/** Repeats a deletion of up to PIECE_ROWS rows until it finds none. */
export async function inPieces(deleteSome: () => Promise<DeleteResult>): Promise<void> {
  while ((await deleteSome()).numDeletedRows > 0n);
}
