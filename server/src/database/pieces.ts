import type { DeleteResult } from 'kysely';

/**
 * Rows that one statement deletes: it ends long before its time limit, and PostgreSQL uses the index (with 5,000 it read the whole table).
 */
export const PIECE_ROWS = 1000;

/** Repeats a deletion of up to PIECE_ROWS rows until it finds none. */
export async function inPieces(deleteSome: () => Promise<DeleteResult>): Promise<void> {
  while ((await deleteSome()).numDeletedRows > 0n);
}

/** Rows read by one statement. */
const PAGE_ROWS = 500;

/** Reads all rows of a query in the order of their ids; `page` reads some rows behind an id. */
export async function* inPages<R extends { id: string }>(page: (after: string, limit: number) => Promise<R[]>): AsyncGenerator<R> {
  let rows: R[] = [];
  do {
    rows = await page(rows.at(-1)?.id ?? '', PAGE_ROWS);
    yield* rows;
  } while (rows.length === PAGE_ROWS);
}
