import { z } from 'zod';
import { isLongEnough } from '../admin-password.ts';
import { calls } from '../call.ts';
import { ADMIN_PASSWORD_MIN, ADMIN_USERNAME_MAX, AUDIT_PER_PAGE, AUDIT_PER_PAGE_MAX, PASSWORD_MAX } from '../constants.ts';
import { PaperChanges } from '../papers.ts';
import { typedText } from '../typed-text.ts';
import { AccountRole } from './accounts.ts';

const noPassword = 'Bitte geben Sie das aktuelle Passwort ein.';
const NewPassword = z
  .string({ error: 'Bitte geben Sie das neue Passwort ein.' })
  .max(PASSWORD_MAX, { error: `Das Passwort darf höchstens ${PASSWORD_MAX.toLocaleString('de-DE')} Zeichen haben.` })
  .refine(isLongEnough, {
    error: `Das neue Passwort braucht mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`,
  });

export const AuditAction = z.enum([
  'admin.login',
  'admin.logout',
  'admin.added',
  'admin.removed',
  'assistant.added',
  'assistant.removed',
  'admin.password',
  /** A recovery code was made, or used for a new password. */
  'admin.recovery-code',
  'admin.recovered',
  /** A second factor was set up, removed by its owner, or failed after a right password. */
  'factor.added',
  'factor.removed',
  'factor.failed',
  /** Another administrator, or the operator's command, removed an account's second factors. */
  'factor.reset',
  'host.login',
  'host.logout',
  'slideshow.locked',
  'slideshow.unlocked',
  'gallery.changed',
  'gallery.link',
  'gallery.revealed',
  'wall.invited',
  'wall.ended',
  'wall.opened',
  'helper.invited',
  'helper.ended',
  'helper.login',
  /** The host gave a program access to the event's photos, or ended it. */
  'program.created',
  'program.ended',
  'token.created',
  'token.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.removed',
  /** Ten wrong passwords for a name from one address. */
  'login.limited',
  'host.created',
  /** A link to set the password was made, then used. */
  'host.invited',
  'host.accepted',
  'host.reset',
  'event.created',
  'event.changed',
  /** The change moved the event's days, too. */
  'event.moved',
  'event.deleted',
  'event.purged',
  /** Keys of an event or an administrator were altered directly in the database. */
  'key.tampered',
  /** An administrator looked up the data kept about a person, or deleted it. */
  'person.disclosed',
  'person.erased',
  /** The operator's command deleted one photo, or an administrator did for a person. */
  'photo.deleted',
  /** A phone's preview turned out to be another picture than its original. */
  'preview.replaced',
  /** An original whose preview was shown cannot be decoded. */
  'original.unreadable',
  /** An operator confirmed the clock after it jumped ahead. */
  'clock.confirmed',
  'settings.changed',
  'settings.restored',
]);
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** 'admin:<name>', 'assistant:<name>', 'token:<name>', 'host', 'projector', 'system', 'cli', 'unknown'. */
  actor: z.string(),
  action: AuditAction,
  event_code: z.string().nullable(),
  /** IP address, shortened after 7 days. */
  address: z.string().nullable(),
  /** Name of the account that the action was about, where it is not the author's. */
  account: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const adminCalls = calls('admins', 'Who administers the service.', {
  'GET /admin/me': {
    summary: 'Whose session it is.',
    access: 'admin',
    assistant: true,
    beforeFactor: true,
    answers: { 200: z.object({ username: z.string(), role: AccountRole }) },
  },
  'GET /admin/status': {
    summary: 'Who is logged in, and what of the installation should not stay as it is.',
    access: 'admin',
    answers: {
      200: z.object({
        username: z.string(),
        initial_password: z.boolean(),
        default_business: z.boolean(),
        /** The business is set neither in the browser nor by a file: the page asks the operator for it. */
        first_start: z.boolean(),
        /** Parts of the operator's data that nobody has set yet: a derived or shipped value stands in for them. */
        open_points: z.array(z.enum(['owner', 'prices', 'tax', 'hosting'])),
        /** The public demo is on only by default. */
        demo_by_default: z.boolean(),
        https: z.boolean(),
        decoder_isolated: z.boolean(),
        /** Cause of running the decoders without a sandbox, and its remedy, as sentences without a full stop; null: they run in one. */
        isolation_fault: z.object({ cause: z.string(), remedy: z.string() }).nullable(),
        /** Command line that calls the operator's commands on the server, for example `npm run cli --`. */
        command: z.string(),
        /** The server's time if its clock jumped ahead (nothing is deleted until an operator confirms it), else null. */
        clock_leapt: z.string().nullable(),
        /** Codes of events whose keys were altered directly in the database. */
        tampered_events: z.array(z.string()),
        /** Start of the last complete backup; null: there was none. */
        last_backup_at: z.string().nullable(),
        /** Number of files that it lacks because the photo store did not give them. */
        last_backup_missing: z.number().int(),
        /** Free space on the disk of the server's data folder, bytes. */
        free_bytes: z.number().int(),
        /** Events whose photos are at least a day overdue for deletion. */
        overdue_purges: z.number().int(),
        /** Differences between the installation and the AVV that customers were given last. */
        paper_changes: PaperChanges,
        /** Deliveries that failed for good and are not settled yet: invitations of hosts, other mails, webhooks. */
        undelivered: z.object({
          invitations: z.array(z.object({ id: z.string(), code: z.string(), title: z.string(), answer: z.string().nullable() })),
          mails: z.number().int(),
          webhooks: z.number().int(),
        }),
      }),
    },
  },
  'POST /admin/first_start/later': {
    summary: 'Puts the questions of the first start off, for all administrators.',
    access: 'admin',
    answers: { 204: 'empty' },
  },
  'POST /admin/clock': {
    summary: 'Confirms that the clock is right after it leapt, so that what is due is deleted again.',
    access: 'admin',
    answers: { 204: 'empty' },
  },
  'PUT /admin/password': {
    summary:
      "Changes the own password and renews the operator's key pair, to which an assistant's does not lead; ends the account's other sessions.",
    access: 'admin',
    assistant: true,
    body: z.object({
      current_password: z.string(noPassword).min(1, noPassword).max(PASSWORD_MAX),
      new_password: NewPassword,
    }),
    answers: { 204: 'empty' },
    errors: ['too_many_attempts', 'unavailable'],
  },
  'GET /admin/audit': {
    summary: 'Who did what, the newest first; `next` asks for what lies before.',
    access: 'admin',
    query: z.object({
      /** Code of the event whose entries are wanted. */
      event: z.string().max(100).optional(),
      /** Id of an entry; the answer begins with the one before it. */
      before: z.uuid().optional(),
      per_page: z.coerce.number().int().min(1).max(AUDIT_PER_PAGE_MAX).default(AUDIT_PER_PAGE),
    }),
    answers: { 200: z.object({ entries: z.array(AuditEntry), next: z.string().nullable() }) },
  },
  'GET /admin/admins': {
    summary: 'All administrators and assistants.',
    access: 'admin',
    answers: {
      200: z.object({
        admins: z.array(
          z.object({
            id: z.string(),
            username: z.string(),
            role: AccountRole,
            created_at: z.string(),
            own: z.boolean(),
            second_factor: z.boolean(),
          }),
        ),
      }),
    },
  },
  'POST /admin/admins': {
    summary: 'Adds an administrator, or an assistant; the password is shown this once.',
    access: 'admin',
    body: z.object({
      username: typedText(ADMIN_USERNAME_MAX, {
        missing: 'Bitte geben Sie einen Benutzernamen ein.',
        tooLong: `Der Benutzername darf höchstens ${ADMIN_USERNAME_MAX} Zeichen haben.`,
      }),
      role: AccountRole.default('admin'),
    }),
    answers: { 201: z.object({ username: z.string(), password: z.string() }) },
    errors: ['unavailable'],
  },
  'DELETE /admin/admins/:id': {
    summary: 'Removes another account and ends its sessions; where it was an administrator’s, renews the operator’s key pair.',
    access: 'admin',
    answers: { 204: 'empty' },
    errors: ['admin_not_found', 'own_admin'],
  },
});
