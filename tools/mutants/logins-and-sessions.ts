import type { Mutant } from './mutant.ts';

/** Mutants of logins, sessions and the check of origins. */
export const LOGINS_AND_SESSIONS: Mutant[] = [
  {
    in: 'app.ts',
    says: 'everybody chooses the address that guesses are counted for',
    change: ['trustProxy: config.trustProxy,', 'trustProxy: true,'],
    noticed: ['app.test.ts'],
    by: '',
  },
  {
    in: 'http/request-guards.ts',
    says: 'pages of the same site, not of this origin, change things',
    change: ["return site === 'same-origin' ||", "return site === 'same-origin' || site === 'same-site' ||"],
    noticed: ['http/origin.test.ts'],
    by: '',
  },
  {
    in: 'http/request-guards.ts',
    says: 'requests with cookies and without an origin change things',
    change: [
      "return cookie === undefined || device !== undefined || (request.method !== 'POST' && !mayHaveOurCookies(request));",
      'return true;',
    ],
    noticed: ['http/origin.test.ts'],
    by: '',
  },
  {
    in: 'features/rate-limits/rate-limits.ts',
    says: 'one guess more than allowed',
    change: ['failures.count + ${others} < ${most}', 'failures.count + ${others} <= ${most}'],
    noticed: ['features/accounts/login-limits.test.ts'],
  },
  {
    in: 'features/rate-limits/rate-limits.ts',
    says: 'a failed attempt is taken back',
    change: ['await (failed ? fail(kind, opened) : close(opened));', 'await close(opened);'],
    noticed: ['features/accounts/login-limits.test.ts'],
  },
  {
    in: 'features/rate-limits/rate-limits.ts',
    says: 'a window of failures never ends',
    change: ['not between ${now - KINDS[kind].window + 1} and', 'not between ${0} and'],
    noticed: ['features/accounts/login-limits.test.ts'],
  },
  {
    in: 'features/sessions/sessions.ts',
    says: 'the token of a locked slideshow is a login',
    change: ["projector: 'projector-session',", "projector: 'session',"],
    noticed: ['features/sessions/sessions.test.ts', 'features/accounts/lock.test.ts'],
  },
  {
    in: 'features/sessions/sessions.ts',
    says: 'a session that is used never ends',
    change: ['Math.min(now + SESSIONS[role].idle, row.expires_at_latest)', 'now + SESSIONS[role].idle'],
    noticed: ['features/sessions/sessions.test.ts'],
  },
  {
    in: 'features/sessions/sessions.ts',
    says: 'a session lives on after its end',
    change: ['if (now >= row.expires_at) return null;', ''],
    noticed: ['features/sessions/sessions.test.ts'],
  },
  {
    in: 'features/accounts/accounts.ts',
    says: 'a reset password leaves the host’s sessions',
    change: ["await grants.end('host.password', event.id, trx);", ''],
    noticed: ['features/accounts/accounts.test.ts'],
  },
  {
    in: 'features/accounts/accounts.ts',
    says: 'a login that was under way outlives a reset of its password',
    change: ['heldWithHost(trx, found.id, found.wrapped)', 'heldWithHost(trx, found.id)'],
    noticed: ['features/accounts/accounts.test.ts'],
  },
  {
    in: 'features/accounts/accounts.ts',
    says: 'locking the slideshow leaves the host logged in',
    change: ['|| !(await sessions.end(host.sessionId, trx))', ''],
    noticed: ['features/accounts/lock.test.ts'],
  },
  {
    in: 'features/grants/ends.ts',
    says: 'a helper whom the host invited outlives a new password of the host',
    change: [
      "links: ['host', 'helper', 'projector'], sessions: ['user', 'program']",
      "links: ['host', 'projector'], sessions: ['user', 'program']",
    ],
    noticed: ['features/accounts/accounts.test.ts'],
  },
  {
    in: 'features/grants/ends.ts',
    says: 'a program to which the host gave access outlives a new password of the host',
    change: ["sessions: ['user', 'program']", "sessions: ['user']"],
    noticed: ['features/accounts/accounts.test.ts'],
  },
];
