/** Replaces a decoder process: tries everything that a decoder must not be able to do, and reports its successes on the answers' pipe. */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { ANSWER_FD } from '../messages.ts';

const [port, picture] = process.argv.slice(2) as [string, string];

const attempts: Record<string, () => unknown> = {
  readsPasswd: () => readFileSync('/etc/passwd'),
  readsPicture: () => readFileSync(picture),
  listsHome: () => readdirSync('/root'),
  writes: () => writeFileSync(join(import.meta.dirname, 'escaped'), ''),
  writesCode: () => writeFileSync(join(process.env['NODE_COMPILE_CACHE'] ?? import.meta.dirname, 'escaped'), ''),
  starts: () => {
    const { error } = spawnSync(process.execPath, ['--version']);
    if (error) throw error;
  },
  connects: () =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => resolve(socket.destroy()));
      socket.once('error', reject);
    }),
  // Native code bypasses Node's permission model.
  readsPictureNatively: () => sharp(picture).metadata(),
};

const worked: Record<string, boolean> = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    worked[name] = true;
  } catch {
    worked[name] = false;
  }
}
writeSync(ANSWER_FD, JSON.stringify({ worked, environment: process.env }));
