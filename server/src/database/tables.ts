import type { Database } from './schema.ts';

/** Every table with the columns of its primary key. Referenced tables come first, `due_rewrites` comes last. */
export const TABLES = {
  operator_keys: ['id'],
  admins: ['id'],
  admin_keys: ['admin_id'],
  recovery_keys: ['id'],
  events: ['id'],
  changes: ['event_id', 'seq'],
  event_keys: ['event_id'],
  event_secrets: ['event_id', 'id'],
  event_passwords: ['event_id', 'kind'],
  hosts: ['event_id'],
  host_keys: ['event_id'],
  sessions: ['id'],
  session_keys: ['session_id'],
  devices: ['event_id', 'device_hash'],
  guest_keys: ['event_id', 'device_hash'],
  photos: ['id'],
  photo_keys: ['photo_id'],
  uploads: ['id'],
  upload_keys: ['upload_id'],
  upload_parts: ['upload_id', 'n'],
  links: ['token_hash'],
  link_keys: ['token_hash'],
  archives: ['event_id'],
  reports: ['id'],
  clock: ['id'],
  settings: ['name'],
  failures: ['bucket'],
  leases: ['name'],
  selections: ['id'],
  demo: ['id'],
  audit: ['id'],
  due_rewrites: ['id'],
} as const satisfies Record<keyof Database, readonly string[]>;

export type TableName = keyof typeof TABLES;
