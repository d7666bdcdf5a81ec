// npm run cli -- <Befehl>: runs an operator's command on the runtime that the project brings.
import { join } from 'node:path';
import { become, install, NODE, ROOT, settings } from './lib.mjs';

install();
become(NODE, [...settings(), join(ROOT, 'server/src/cli.ts'), ...process.argv.slice(2)], {
  ...process.env,
  // Files and folders in the command's words are meant from here.
  CALLED_IN: process.env.INIT_CWD ?? process.cwd(),
});
