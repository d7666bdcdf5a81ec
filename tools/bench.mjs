// npm run bench [-- names]: checks the promises about speed, each a ratio with its limit.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { become, buildPages, install, NODE, ROOT } from './lib.mjs';

install();
buildPages();
const { flags } = JSON.parse(readFileSync(join(ROOT, 'tools/room.json'), 'utf8'));
become(NODE, [...flags, 'bench/run.ts', ...process.argv.slice(2)]);
