// npm start: installs, builds and serves everything.
import { become, buildPages, install, NODE } from './lib.mjs';

install();
buildPages();
become(NODE, ['server/src/main.ts'], process.env);
