import type { Http } from '../../http/bind.ts';
import { CALL } from '../../lib/software.ts';
import type { Audit } from '../audit/audit.ts';
import type { Compliance } from '../compliance/compliance.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { INVITATION } from '../../database/invitations.ts';
import type { ClockGuard } from '../../database/clock-guard.ts';
import type { Admins } from './admins.ts';
import type { Health } from '../health/facts.ts';
import { HEALTH } from '../health/health.ts';
import type { Retention } from '../retention/retention.ts';
import { guesserIn, type Cookies } from '../sessions/sessions.ts';
import { iso } from '../../lib/clock.ts';

/** The steps that a new installation still lacks. */
interface Installation {
  firstStart(): Promise<boolean>;
  putOffFirstStart(): Promise<void>;
  openPoints(): ('owner' | 'prices' | 'tax' | 'hosting')[];
  demoByDefault: boolean;
}

interface Deps {
  admins: Admins;
  cookies: Cookies;
  installation: Installation;
  health: Health;
  clockGuard: Pick<ClockGuard, 'confirm'>;
  retention: Pick<Retention, 'soon'>;
  audit: Audit;
  compliance: Pick<Compliance, 'changes'>;
  accounts: { invitations: Pick<Accounts['invitations'], 'undelivered'> };
  outbox: Pick<Outbox, 'failed'>;
}

/** Most events that the status names because the invitation of their host failed. */
const NAMED = 20;

/** Binds the calls for administrators' own accounts and for the state of the installation. */
export function adminRoutes(
  http: Http,
  { admins, cookies, installation, health, clockGuard, retention, audit, compliance, accounts, outbox }: Deps,
): void {
  async function undelivered() {
    const failed = new Map((await outbox.failed(INVITATION)).map(({ kind, count }) => [kind, Number(count)]));
    return {
      invitations: await accounts.invitations.undelivered(NAMED),
      mails: failed.get('mail') ?? 0,
      webhooks: failed.get('webhook') ?? 0,
    };
  }

  http.bind('GET /admin/me', ({ visitor: { operator } }) => {
    return { username: operator.username, role: 'adminId' in operator ? 'admin' : 'assistant' };
  });

  http.bind('GET /admin/status', async ({ visitor }) => {
    const { read, fictitious, now, ...facts } = await health.factsFor(visitor.admin.username);
    const last = await read.lastBackup();
    return {
      username: visitor.admin.username,
      initial_password: await read.initialPassword(),
      default_business: fictitious,
      first_start: await installation.firstStart(),
      open_points: installation.openPoints(),
      demo_by_default: installation.demoByDefault,
      https: HEALTH.https.ask(facts).severity === 'good',
      decoder_isolated: facts.isolationFault === null,
      isolation_fault: facts.isolationFault,
      command: CALL,
      clock_leapt: (await read.clockRight()) ? null : iso(now),
      tampered_events: await read.tampered(),
      last_backup_at: last && iso(last.at),
      last_backup_missing: last?.missing ?? 0,
      free_bytes: (await read.disk()).free,
      overdue_purges: await read.overdue(),
      undelivered: await undelivered(),
      paper_changes: await compliance.changes(visitor.admin.username),
    };
  });

  http.bind('POST /admin/first_start/later', () => installation.putOffFirstStart());

  http.bind('POST /admin/clock', async ({ visitor }) => {
    const entry = { actor: `admin:${visitor.admin.username}`, action: 'clock.confirmed', address: visitor.address } as const;
    await clockGuard.confirm((trx) => audit.record(entry, trx));
    retention.soon();
  });

  http.bind('PUT /admin/password', async ({ body, visitor, reply }) => {
    const passwords = { current: body.current_password, next: body.new_password };
    const { operator, address } = visitor;
    const { token, maxAge } = await admins.changePassword(operator.username, passwords, guesserIn(operator.sessionId, address));
    cookies.admin.set(reply, token, maxAge);
  });

  http.bind('GET /admin/admins', async ({ visitor }) => ({
    admins: (await admins.list()).map(({ id, username, role, created_at: at, secured }) => {
      return { id, username, role, created_at: iso(at), own: id === visitor.admin.adminId, second_factor: secured };
    }),
  }));

  http.bind('POST /admin/admins', ({ body, visitor }) => admins.add(visitor.admin, body, visitor.address));

  http.bind('DELETE /admin/admins/:id', ({ params, visitor }) => admins.remove(visitor.admin, params.id, visitor.address));
}
