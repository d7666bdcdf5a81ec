import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
/** The package for operators contains neither npm nor its scripts. */
const inPackage = !existsSync(join(ROOT, 'tools/cli.mjs'));

/** The package's folder, in whose place the next version has another one; null: a clone, which stays. */
export const PACKAGE_FOLDER = inPackage ? ROOT : null;

/** Command line of the operator's commands in this installation. */
export const CALL = inPackage ? 'bin/feierbild' : 'npm run cli --';
/** Command line that starts the service in this installation. */
export const START = inPackage ? 'systemctl start feierbild' : 'npm start';
/** The cure for damaged or missing files, without a full stop. */
export const INSTALL_AGAIN = inPackage ? 'Entpacken Sie das Paket neu' : 'Installieren Sie neu: npm ci';

export const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'server/package.json'), 'utf8')) as { version: string };
