import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, '../..');
/** The package for operators contains neither npm nor its scripts. */
const inPackage = !existsSync(join(SERVER, '../tools/cli.mjs'));

/** Command line of the operator's commands in this installation. */
export const CALL = inPackage ? 'bin/feierbild' : 'npm run cli --';
/** Command line that starts the service in this installation. */
export const START = inPackage ? 'systemctl start feierbild' : 'npm start';
/** The cure for damaged or missing files. */
export const INSTALL_AGAIN = inPackage ? 'Entpacken Sie das Paket neu.' : 'Installieren Sie neu: npm ci.';

export const { version: VERSION } = JSON.parse(readFileSync(join(SERVER, 'package.json'), 'utf8')) as { version: string };
