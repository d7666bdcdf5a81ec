import type { EventForm } from '@feierbild/contract/entities.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Vault } from '../../vault/vault.ts';
import type { StoredPassword } from './events.store.ts';

/** Passwords of guests and of the Fotobox: an argon2id verifier, and a copy that only the event's private key opens. */
export const PASSWORD_KINDS = ['upload', 'fotobox'] as const;
type PasswordKind = (typeof PASSWORD_KINDS)[number];
/** The passwords in clear; null where there is none. */
export type PlainPasswords = Record<PasswordKind, string | null>;
export const NO_PASSWORDS: PlainPasswords = { upload: null, fotobox: null };

const infoOf = (eventId: string, kind: string): string => `feierbild event password ${kind} ${eventId}`;

/** Those of the wanted passwords that are not the current ones: each costs one argon2 run. */
export async function newPasswords(
  vault: Vault,
  publicKey: Bytes,
  eventId: string,
  wanted: PlainPasswords,
  current: PlainPasswords,
): Promise<StoredPassword[]> {
  const stored: StoredPassword[] = [];
  for (const kind of PASSWORD_KINDS) {
    const password = wanted[kind];
    if (!password || password === current[kind]) continue;
    const sealed = vault.seal(publicKey, Buffer.from(password, 'utf8'), infoOf(eventId, kind));
    stored.push({ kind, verifier: await vault.createVerifier(password), sealed });
  }
  return stored;
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
export function wantedPasswords(form: EventForm): PlainPasswords {
  return {
    upload: form.with_upload_password ? (form.user_upload_password ?? null) : null,
    fotobox: form.with_fotobox ? (form.fotobox_upload_password ?? null) : null,
  };
}
