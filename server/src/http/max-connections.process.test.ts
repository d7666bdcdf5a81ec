import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { maxConnections } from './connections.ts';

it('connections leave open files for the rest of the server, and follow the limit of the process', () => {
  expect([64, 1024, 4096, 65_536, Infinity].map((files) => maxConnections(files))).toEqual([64, 384, 1920, 10_000, 10_000]);
  const script = `import('${join(import.meta.dirname, 'connections.ts')}').then((m) => console.log(m.maxConnections()))`;
  const printed = execFileSync('bash', ['-c', 'ulimit -n 2048; exec "$0" -e "$1"', process.execPath, script], { encoding: 'utf8' });
  expect(Number(printed)).toBe((2048 - 256) / 2);
});
