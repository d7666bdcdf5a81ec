import type { Http } from '../../http/bind.ts';
import { CALL } from '../../lib/release.ts';
import type { Audit } from '../audit/audit.ts';
import type { Backup } from '../backup/backup.ts';
import type { Compliance } from '../compliance/compliance.ts';
import type { ClockGuard } from '../../database/clock-guard.ts';
import type { Ground } from '../ground.ts';
import type { Admins } from './admins.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { Retention } from '../retention/retention.ts';
import type { Cookies } from '../sessions/sessions.ts';

/** Facts about the installation that the pages warn an administrator of. */
export interface Installation {
  defaultBusiness(): boolean;
  firstStart(): boolean;
  https: boolean;
  decoderIsolated: boolean;
  /** On the disk of the data folder. */
  freeBytes(): Promise<number>;
}

interface Parts extends Pick<Ground, 'clock'> {
  admins: Admins;
  cookies: Cookies;
  installation: Installation;
  keyAlarm: Pick<KeyAlarm, 'eventCodes'>;
  clockGuard: ClockGuard;
  backup: Pick<Backup, 'last'>;
  retention: Pick<Retention, 'overdue' | 'soon'>;
  audit: Audit;
  compliance: Pick<Compliance, 'changes'>;
}

/** Calls for the administrators' own accounts and for the state of the installation. */
export function adminRoutes(
  http: Http,
  { admins, cookies, installation, keyAlarm, clockGuard, backup, retention, audit, compliance, clock }: Parts,
): void {
  http.bind('GET /admin/me', ({ visitor: { operator } }) => {
    return { username: operator.username, role: 'adminId' in operator ? 'admin' : 'assistant' };
  });

  http.bind('GET /admin/status', async ({ visitor }) => {
    const last = await backup.last();
    return {
      username: visitor.admin.username,
      initial_password: await admins.initialPasswordInUse(),
      default_business: installation.defaultBusiness(),
      first_start: installation.firstStart(),
      https: installation.https,
      decoder_isolated: installation.decoderIsolated,
      command: CALL,
      clock_leapt: (await clockGuard.check()) ? null : new Date(clock.now()).toISOString(),
      tampered_events: await keyAlarm.eventCodes(),
      last_backup_at: last && new Date(last.at).toISOString(),
      free_bytes: await installation.freeBytes(),
      overdue_purges: await retention.overdue(),
      paper_changes: await compliance.changes(visitor.admin.username),
    };
  });

  http.bind('POST /admin/clock', async ({ visitor }) => {
    await clockGuard.confirm();
    await audit.record({ actor: `admin:${visitor.admin.username}`, action: 'clock.confirmed', address: visitor.address });
    retention.soon();
  });

  http.bind('PUT /admin/password', async ({ body, visitor, reply }) => {
    const passwords = { current: body.current_password, next: body.new_password };
    const { token, maxAge } = await admins.changePassword(visitor.operator.username, passwords, visitor.address);
    cookies.admin.set(reply, token, maxAge);
  });

  http.bind('GET /admin/admins', async ({ visitor }) => ({
    admins: (await admins.list()).map(({ id, username, role, created_at: at, secured }) => {
      return { id, username, role, created_at: new Date(at).toISOString(), own: id === visitor.admin.adminId, second_factor: secured };
    }),
  }));

  http.bind('POST /admin/admins', ({ body, visitor }) => admins.add(visitor.admin, body, visitor.address));

  http.bind('DELETE /admin/admins/:id', ({ params, visitor }) => admins.remove(visitor.admin, params.id, visitor.address));
}
