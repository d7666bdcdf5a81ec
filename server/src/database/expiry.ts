import { IDEMPOTENCY_KEPT, INVITATION_KEPT, LINK_LIFETIME, SESSIONS, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { sql, type Kysely } from 'kysely';
import { CLOCK_SKEW_MS } from '../lib/clock.ts';
import type { Database } from './schema.ts';

/** The rows that end a fixed time after they were written or used last. */
const ENDING: [table: keyof Database, period: number, role?: string, column?: 'expires_at_latest'][] = [
  ['links', LINK_LIFETIME],
  ['kept_answers', IDEMPOTENCY_KEPT],
  ['uploads', UPLOAD_KEPT],
  ['invitations', INVITATION_KEPT],
  ...Object.entries(SESSIONS).flatMap(([role, { idle, longest }]): typeof ENDING => [
    ['sessions', idle, role],
    ['sessions', longest, role, 'expires_at_latest'],
  ]),
];

/**
 * Ends rows that end later than their whole period from now, which a clock that was ahead has written, once this period is over. Whoever
 * used the service in that hour keeps what he was given.
 */
export async function shortenAhead(kysely: Kysely<Database>, now: number): Promise<void> {
  for (const [table, period, role, column = 'expires_at'] of ENDING)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${now + period}
      where ${sql.ref(column)} > ${now + period + CLOCK_SKEW_MS} and ${role === undefined ? sql`true` : sql`role = ${role}`}`.execute(
      kysely,
    );
}
