// npm start: installs, builds and serves everything.
import { become, buildPages, install, NODE, SERVER, settings } from './lib.mjs';

install();
buildPages();
become(NODE, [...settings(), ...SERVER], process.env);
