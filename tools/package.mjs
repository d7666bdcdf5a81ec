// npm run package [-- <folder>]: packs what operators need to run Feierbild, and nothing else, into a folder and a tarball (default:
// dist/).
import { join, resolve } from 'node:path';
import { buildPages, install, ROOT } from './lib.mjs';
import { makePackage } from './package/make-package.mjs';

install();
buildPages();
const { folder, tarball } = makePackage(resolve(process.argv[2] ?? join(ROOT, 'dist')));
console.log(`${folder}\n${tarball}`);
