import { sql } from 'kysely';

/** The table of an account's keys, by its role; only this choice of the table stores the role. */
export const KEYS = { admin: 'admin_keys', assistant: 'assistant_keys' } as const;

/** SQL condition: the row of `admins` has a second factor that counts; a number on SQLite. */
export const isSecured = sql<boolean | number>`(
  exists (select 1 from totp_factors where totp_factors.admin_id = admins.id and confirmed_at is not null)
  or exists (select 1 from passkeys where passkeys.admin_id = admins.id))`;
