import { buildPages, install } from './lib.mjs';

install();
buildPages();
