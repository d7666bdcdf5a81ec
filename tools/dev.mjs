// npm run dev: the server restarts and the pages are built again when their sources change.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { become, buildPages, ENV, install, NODE, PAGE_BUILDS, ROOT, SERVER } from './lib.mjs';

install();
buildPages();
const builds = Object.values(PAGE_BUILDS).map((options) =>
  spawn(NODE, [...options, '--watch', '--logLevel', 'warn'], { cwd: join(ROOT, 'web'), env: ENV, stdio: 'inherit' }),
);
process.on('exit', () => builds.forEach((build) => build.kill()));
become(NODE, ['--watch', ...SERVER]);
