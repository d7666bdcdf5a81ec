import type { Database } from './schema.ts';

/**
 * Every table with the columns of its primary key, by which a backup reads it. Referenced tables come first, `due_rewrites` comes last.
 * Null: it is in no backup. Sessions end with a restore, uploads that are not complete begin anew, what is delivered is not delivered
 * again; the others are temporary and belong to one database.
 */
export const TABLES: Record<keyof Database, readonly string[] | null> = {
  operator_keys: ['id'],
  admins: ['id'],
  admin_keys: ['admin_id'],
  assistant_keys: ['admin_id'],
  recovery_keys: ['id'],
  events: ['id'],
  changes: null,
  event_keys: ['event_id'],
  event_secrets: ['event_id', 'id'],
  event_passwords: ['event_id', 'kind'],
  hosts: ['event_id'],
  host_keys: ['event_id'],
  host_contacts: ['event_id'],
  event_notes: ['event_id'],
  sessions: null,
  session_keys: null,
  devices: ['event_id', 'device_hash'],
  guest_keys: ['event_id', 'device_hash'],
  gallery_keys: ['event_id'],
  gallery_guests: ['event_id', 'device_hash'],
  invitations: ['event_id', 'role'],
  photos: ['id'],
  photo_keys: ['photo_id'],
  gallery_photo_keys: ['photo_id'],
  hearts: ['photo_id', 'device_hash'],
  uploads: null,
  upload_keys: null,
  upload_parts: null,
  links: ['token_hash'],
  link_keys: ['token_hash'],
  archives: ['event_id'],
  reports: ['id'],
  outbox: null,
  receipts: ['event_id'],
  api_tokens: ['id'],
  kept_answers: null,
  webhooks: ['id'],
  clock: null,
  settings: ['name'],
  setting_versions: ['section', 'version'],
  pictures: ['id'],
  failures: null,
  leases: null,
  orphans: null,
  selections: null,
  demo: ['id'],
  audit: ['id'],
  due_rewrites: null,
};

export type TableName = keyof typeof TABLES;
