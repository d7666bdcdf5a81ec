// npm run dev: the server restarts and the pages are built again when their sources change.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { become, buildPages, ENV, install, NODE, ROOT, SERVER } from './lib.mjs';

install();
buildPages();
const pages = spawn(NODE, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--watch', '--logLevel', 'warn'], {
  cwd: join(ROOT, 'web'),
  env: ENV,
  stdio: 'inherit',
});
process.on('exit', () => pages.kill());
become(NODE, ['--watch', ...SERVER]);
