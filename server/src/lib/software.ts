import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, '../..');
/** The package for operators brings no npm and none of its scripts. */
const inPackage = !existsSync(join(SERVER, '../tools/cli.mjs'));

/** How a command is called here. */
export const CALL = inPackage ? 'bin/feierbild' : 'npm run cli --';
/** How the service is started here. */
export const START = inPackage ? 'systemctl start feierbild' : 'npm start';
/** The cure for damaged or missing files. */
export const INSTALL_AGAIN = inPackage ? 'Entpacken Sie das Paket neu.' : 'Installieren Sie neu: npm ci.';

export const { version: VERSION } = JSON.parse(readFileSync(join(SERVER, 'package.json'), 'utf8')) as { version: string };
