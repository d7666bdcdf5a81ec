import { flushCompileCache } from 'node:module';
import { openDatabase } from '../../../database/open.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLog } from '../../../lib/log.ts';
import { createQuickVault } from '../../../vault/testing/quick-vault.ts';
import type { Vault } from '../../../vault/vault.ts';
import { createAudit } from '../../audit/audit.ts';
import { createKeyAlarm } from '../../key-alarm/key-alarm.ts';
import { createLoginThrottle } from '../../rate-limits/login-throttle.ts';
import { createRateLimits } from '../../rate-limits/rate-limits.ts';
import { createOperatorKeys } from '../../operator-keys/operator-keys.ts';
import { createSecondFactor } from '../../second-factor/second-factor.ts';
import { createSessions } from '../../sessions/sessions.ts';
import { createAdmins } from '../admins.ts';

// A child process that changes a password and kills itself before its nth step; a step is a use of the vault, or the wiping. One that is not
// killed prints the number of its steps. It loads little, as each stop starts it anew.
const { url, file, stopAt, username, current, next } = JSON.parse(process.argv[2] ?? '') as {
  url: string | null;
  file: string;
  stopAt: number;
  username: string;
  current: string;
  next: string;
};

// Node writes its cache of compiled code at a process's end, which a killed one does not reach.
flushCompileCache();
let steps = 0;
function step(): void {
  if (++steps === stopAt) process.kill(process.pid, 'SIGKILL');
}

const opened = await openDatabase({ url, file }, { schema: 'migrate' });
const db = {
  ...opened,
  wipe: () => {
    step();
    return opened.wipe();
  },
};
const vault = new Proxy(createQuickVault(), {
  get: (whole, name: keyof Vault) => {
    step();
    return whole[name];
  },
});
const context = { db, vault, clock: systemClock, log: createLog('silent') };
const audit = createAudit(context);
const keyAlarm = createKeyAlarm({ ...context, audit, mail: { toOperator: async () => false } });
const limits = createRateLimits(context);
const loginThrottle = createLoginThrottle({ ...context, limits, audit });
const sessions = createSessions(context);
const unused = { settings: { get: () => null }, business: () => ({ business: { identity: { brand: '' } } }) };
const secondFactor = createSecondFactor({ ...context, ...unused, audit, limits, sessions, keyAlarm });
const keys = { keyAlarm, sessions, secondFactor, operatorKeys: createOperatorKeys({ ...context, keyAlarm }) };
await createAdmins({ ...context, ...keys, audit, loginThrottle }).changePassword(username, { current, next }, { address: '127.0.0.1' });
await db.close();
process.stdout.write(String(steps));
