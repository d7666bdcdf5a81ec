import { z } from 'zod';

/** The actions in the audit log. */
export const AuditAction = z.enum([
  'admin.login',
  'admin.logout',
  'admin.added',
  'admin.removed',
  'admin.password',
  /** A recovery code was made, or used for a new password. */
  'admin.recovery-code',
  'admin.recovered',
  'host.login',
  'host.logout',
  'slideshow.locked',
  'slideshow.unlocked',
  /** Ten wrong passwords for a name from one address. */
  'login.limited',
  'host.created',
  'host.reset',
  'event.created',
  'event.changed',
  'event.deleted',
  'event.purged',
  /** Keys of an event or an administrator were changed in the database. */
  'key.tampered',
  /** One photo, by the operator's command. */
  'photo.deleted',
  /** An operator has confirmed the clock after it jumped ahead. */
  'clock.confirmed',
]);
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** 'admin:<name>', 'host', 'projector', 'system', 'cli', 'unknown'. */
  actor: z.string(),
  action: AuditAction,
  event_code: z.string().nullable(),
  /** Whole for 7 days, then shortened. */
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
