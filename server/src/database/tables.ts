import type { Database } from './schema.ts';

type Column<T extends keyof Database> = keyof Database[T] & string;

/**
 * When a purge deletes an event's rows of a table: `event` in the transaction that ends the access to it; `photos` in pieces with its
 * photos, by `photo`; `last` behind these. Null: not by this list, because the rows belong to no event, or are deleted with a row that they
 * reference (`on delete cascade`). purge.ts ends open uploads. The event's row, its receipt and the audit log have times of their own
 * (retention.ts).
 */
type Purged = 'event' | 'photos' | 'last' | null;

/**
 * Traces that a deletion leaves in PostgreSQL's files (SQLite overwrites deleted rows). `rewritten`: nothing, as a trigger marks the table
 * for a rewrite (rewrites.ts). `covered`: keys under the event's destroyed secret (photo-keys/). `sealed`: texts under destroyed keys, ids
 * and hashes. `harmless`: nothing about a person, and no secret.
 */
type Left = 'rewritten' | 'covered' | 'sealed' | 'harmless';

interface Table<T extends keyof Database> {
  /** The columns of the primary key, in whose order a backup reads the rows. */
  key: readonly Column<T>[];
  /** The columns with the ids of the event and the photo. */
  event: Column<T> | null;
  photo: Column<T> | null;
  /**
   * Whether its rows are in backups. Sessions end with a restore. A backup keeps of uploads and the outbox only the entries that must not
   * come or be delivered again (backup/rows.ts). The other tables are temporary and belong to one database.
   */
  backup: boolean;
  purged: Purged;
  left: Left;
}

const table = <T extends keyof Database>(
  key: readonly Column<T>[],
  left: Left,
  { event = null, photo = null, backup = true, purged = null }: Partial<Omit<Table<T>, 'key' | 'left'>> = {},
): Table<T> => ({ key, event, photo, backup, purged, left });

/** Columns of tables whose rows have the id of their event, or of their photo. */
const OF_EVENT = { event: 'event_id', purged: 'event' } as const;
const OF_PHOTO = { photo: 'photo_id', purged: 'photos' } as const;
const NO_BACKUP = { backup: false } as const;

/** All tables: referenced ones come first, `due_rewrites` comes last. */
export const TABLES: { readonly [T in keyof Database]: Table<T> } = {
  operator_keys: table(['id'], 'harmless'),
  admins: table(['id'], 'harmless'),
  admin_keys: table(['admin_id'], 'rewritten'),
  assistant_keys: table(['admin_id'], 'rewritten'),
  recovery_keys: table(['id'], 'rewritten'),
  totp_factors: table(['admin_id'], 'rewritten'),
  passkeys: table(['id'], 'harmless'),
  factor_challenges: table(['hash'], 'harmless', NO_BACKUP),
  events: table(['id'], 'rewritten', { event: 'id' }),
  changes: table(['event_id', 'seq'], 'harmless', { ...OF_EVENT, ...NO_BACKUP }),
  event_keys: table(['event_id'], 'rewritten', OF_EVENT),
  event_secrets: table(['event_id', 'id'], 'rewritten', { event: 'event_id', purged: 'last' }),
  event_passwords: table(['event_id', 'kind'], 'rewritten', OF_EVENT),
  hosts: table(['event_id'], 'harmless', OF_EVENT),
  host_keys: table(['event_id'], 'rewritten', OF_EVENT),
  host_contacts: table(['event_id'], 'rewritten', OF_EVENT),
  event_notes: table(['event_id'], 'rewritten', OF_EVENT),
  sessions: table(['id'], 'sealed', { ...OF_EVENT, ...NO_BACKUP }),
  session_keys: table(['session_id'], 'rewritten', NO_BACKUP),
  devices: table(['event_id', 'device_hash'], 'sealed', OF_EVENT),
  guest_keys: table(['event_id', 'device_hash'], 'rewritten', OF_EVENT),
  gallery_keys: table(['event_id'], 'rewritten', OF_EVENT),
  gallery_guests: table(['event_id', 'device_hash'], 'rewritten', OF_EVENT),
  invitations: table(['event_id', 'role'], 'rewritten', OF_EVENT),
  walls: table(['event_id'], 'harmless', OF_EVENT),
  wall_codes: table(['event_id'], 'rewritten', { ...OF_EVENT, ...NO_BACKUP }),
  photos: table(['id'], 'sealed', { event: 'event_id', photo: 'id', purged: 'photos' }),
  photo_keys: table(['photo_id'], 'covered', { event: 'event_id', ...OF_PHOTO }),
  gallery_photo_keys: table(['photo_id'], 'covered', { event: 'event_id', ...OF_PHOTO }),
  hearts: table(['photo_id', 'device_hash'], 'sealed', { event: 'event_id', ...OF_PHOTO }),
  // Finished uploads answer for their photo, and are deleted with it.
  uploads: table(['id'], 'sealed', { event: 'event_id', photo: 'photo_id' }),
  upload_keys: table(['upload_id'], 'rewritten', { ...OF_EVENT, ...NO_BACKUP }),
  upload_parts: table(['upload_id', 'n'], 'harmless', NO_BACKUP),
  links: table(['token_hash'], 'sealed'),
  link_keys: table(['token_hash'], 'rewritten', OF_PHOTO),
  archives: table(['event_id'], 'sealed', OF_EVENT),
  reports: table(['id'], 'rewritten'),
  outbox: table(['id'], 'rewritten', OF_EVENT),
  receipts: table(['event_id'], 'harmless', { event: 'event_id' }),
  api_tokens: table(['id'], 'harmless'),
  kept_answers: table(['id'], 'rewritten', NO_BACKUP),
  webhooks: table(['id'], 'rewritten'),
  clock: table(['id'], 'harmless', NO_BACKUP),
  settings: table(['name'], 'harmless'),
  setting_versions: table(['section', 'version'], 'harmless'),
  // A backup must not send another installation's mail; the password is typed anew.
  mail_server: table(['id'], 'rewritten', NO_BACKUP),
  pictures: table(['id'], 'rewritten', { event: 'event_id', photo: 'photo_id', purged: 'event' }),
  failures: table(['bucket'], 'harmless', NO_BACKUP),
  leases: table(['name'], 'harmless', NO_BACKUP),
  orphans: table(['key'], 'harmless', NO_BACKUP),
  // The rows are deleted with their sessions.
  selections: table(['id'], 'sealed', { event: 'event_id', ...NO_BACKUP }),
  demo: table(['id'], 'harmless', { event: 'event_id' }),
  audit: table(['id'], 'rewritten', { event: 'event_id' }),
  due_rewrites: table(['id'], 'harmless', NO_BACKUP),
};

export type TableName = keyof Database;

export const TABLE_NAMES = Object.keys(TABLES) as TableName[];
