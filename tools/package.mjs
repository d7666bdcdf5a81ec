// npm run package [-- <folder>]: packs what operators need to run Feierbild, and nothing else, into a tarball (in dist/ by default).
import { join, resolve } from 'node:path';
import { buildPages, install, ROOT } from './lib.mjs';
import { makePackage } from './package/make-package.mjs';

install();
buildPages();
console.log(makePackage(resolve(process.argv[2] ?? join(ROOT, 'dist'))));
