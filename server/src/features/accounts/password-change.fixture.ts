import { openDatabase } from '../../database/open.ts';
import { systemClock as clock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import type { Vault } from '../../vault/vault.ts';
import { createAdmins } from './admins.ts';
import { createAudit } from './audit.ts';
import { createLimits } from './limits.ts';
import { createSessions } from './sessions.ts';

// A process of its own that changes a password and kills itself before its nth step: each use of the vault, and the wiping.
const { url, file, stopAt, username, current, next } = JSON.parse(process.argv[2] ?? '') as {
  url: string | null;
  file: string;
  stopAt: number;
  username: string;
  current: string;
  next: string;
};

let steps = 0;
function step(): void {
  if (++steps === stopAt) process.kill(process.pid, 'SIGKILL');
}

const opened = await openDatabase({ url, file });
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
const limits = createLimits({ db, clock });
const audit = createAudit({ db, clock });
const sessions = createSessions({ db, vault, clock });
await createAdmins({ db, vault, clock, limits, audit, sessions, log: createLog('silent') }).changePassword(
  username,
  { current, next },
  '127.0.0.1',
);
await db.close();
