import type { EventForm } from '@feierbild/contract/entities.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Vault } from '../../vault/vault.ts';
import type { PlainPasswords } from './event-views.ts';
import type { StoredPassword } from './events.store.ts';

/** Passwords of guests and of the Fotobox: an argon2id verifier, and a copy that only the event's private key opens. */
export type PasswordKind = 'upload' | 'fotobox';

const infoOf = (eventId: string, kind: string): string => `feierbild event password ${kind} ${eventId}`;

export async function storedPassword(
  vault: Vault,
  publicKey: Bytes,
  eventId: string,
  kind: PasswordKind,
  password: string,
): Promise<StoredPassword> {
  return {
    kind,
    verifier: await vault.createVerifier(password),
    sealed: vault.seal(publicKey, Buffer.from(password, 'utf8'), infoOf(eventId, kind)),
  };
}

/** The passwords in clear, for the admin's form and the host's dashboard. */
export function openPasswords(
  vault: Vault,
  privateKey: Bytes,
  eventId: string,
  stored: Pick<StoredPassword, 'kind' | 'sealed'>[],
): PlainPasswords {
  const open = (kind: PasswordKind): string | null => {
    const found = stored.find((one) => one.kind === kind);
    return found ? Buffer.from(vault.open(privateKey, found.sealed, infoOf(eventId, kind))).toString('utf8') : null;
  };
  return { upload: open('upload'), fotobox: open('fotobox') };
}

/** The passwords of a form by kind; null if the switch of the kind is off. */
export function wantedPasswords(form: EventForm): Record<PasswordKind, string | null> {
  return {
    upload: form.with_upload_password ? (form.user_upload_password ?? null) : null,
    fotobox: form.with_fotobox ? (form.fotobox_upload_password ?? null) : null,
  };
}
