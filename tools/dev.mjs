// npm run dev: restarts the server and builds the pages when their sources change; also serves the page of all components.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildPages, ENV, install, NODE, PAGE_BUILDS, ROOT, SERVER, UI_BOOK, waitFor } from './lib.mjs';

install();
buildPages();
const children = [...Object.values(PAGE_BUILDS).map((options) => [...options, '--watch']), UI_BOOK.command].map((options) =>
  spawn(NODE, [...options, '--logLevel', 'warn'], { cwd: join(ROOT, 'web'), env: ENV, stdio: 'inherit' }),
);
process.on('exit', () => children.forEach((child) => child.kill()));
console.log(`Alle Bausteine: ${UI_BOOK.url}`);
waitFor(NODE, ['--watch', ...SERVER]);
