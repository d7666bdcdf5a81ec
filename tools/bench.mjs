// npm run bench [-- names]: the promises about speed, each as a ratio with its limit.
import { become, buildPages, install, NODE } from './lib.mjs';

install();
buildPages();
become(NODE, ['bench/run.ts', ...process.argv.slice(2)]);
