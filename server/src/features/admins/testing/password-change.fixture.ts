import { openDatabase } from '../../../database/open.ts';
import { createQuickVault } from '../../../vault/testing/quick-vault.ts';
import type { Vault } from '../../../vault/vault.ts';
import { wireApp } from '../../testing.ts';

// A process of its own that changes a password and kills itself before its nth step: each use of the vault, and the wiping.
const { url, file, folder, stopAt, username, current, next } = JSON.parse(process.argv[2] ?? '') as {
  url: string | null;
  file: string;
  folder: string;
  stopAt: number;
  username: string;
  current: string;
  next: string;
};

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
await wireApp({ db, vault, folder }).admins.changePassword(username, { current, next }, '127.0.0.1');
await db.close();
