// npm start: installs, builds and serves everything.
import { become, buildPages, install, NODE, SERVER } from './lib.mjs';

install();
buildPages();
become(NODE, SERVER, process.env);
