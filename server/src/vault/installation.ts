import type { Bytes } from '../lib/bytes.ts';
import { derive, NO_SALT, openSmall, sealSmall } from './aead.ts';
import { label } from './labels.ts';

/**
 * Seals secrets of the operator that the server itself needs (a mail server's password) under the installation's key. That key is in the
 * same database: it protects copies of one table alone, and backups, which contain the key, but not these rows.
 */

const keyFor = (installationKey: Bytes, purpose: string): Bytes => derive(installationKey, NO_SALT, label('installation-secret', purpose));

export function sealForInstallation(installationKey: Bytes, secret: string, purpose: string): Bytes {
  return sealSmall(keyFor(installationKey, purpose), Buffer.from(secret), label('installation-secret', purpose));
}

/** Throws Tampered. */
export function openForInstallation(installationKey: Bytes, sealed: Bytes, purpose: string): string {
  return openSmall(keyFor(installationKey, purpose), sealed, label('installation-secret', purpose)).toString();
}
