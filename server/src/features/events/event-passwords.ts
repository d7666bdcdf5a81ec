import type { EventForm } from '@feierbild/contract/event-form.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Vault } from '../../vault/vault.ts';
import type { StoredPassword } from './events.store.ts';

/**
 * The passwords of guests and of the Fotobox. Each is stored as an argon2id verifier and as a copy that only the event's private key opens.
 */
export const PASSWORD_KINDS = ['upload', 'fotobox'] as const;
type PasswordKind = (typeof PASSWORD_KINDS)[number];
/** The passwords in clear; null where there is none. */
export type PlainPasswords = Record<PasswordKind, string | null>;
export const NO_PASSWORDS: PlainPasswords = { upload: null, fotobox: null };

const infoOf = (eventId: string, kind: string): string => `feierbild event password ${kind} ${eventId}`;

/** Seals those wanted passwords that differ from the current ones; each costs one argon2 run. */
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

/** Opens the passwords for the administrators' form and the host's dashboard. */
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

/** Returns the passwords of a form by kind; null if the switch of the kind is off, or none is given. */
export function wantedPasswords(form: EventForm): PlainPasswords {
  return {
    upload: form.with_upload_password ? form.user_upload_password || null : null,
    fotobox: form.with_fotobox ? form.fotobox_upload_password || null : null,
  };
}

const SWITCHES = { upload: 'with_upload_password', fotobox: 'with_fotobox' } as const;
const FIELDS = { upload: 'user_upload_password', fotobox: 'fotobox_upload_password' } as const;

/** Returns whether a form keeps a stored password: the switch is on, and the sender, who cannot see it, gives none. */
export const staysStored = (form: EventForm, kind: PasswordKind): boolean =>
  form.keep_passwords === true && form[SWITCHES[kind]] && !wantedPasswords(form)[kind];

/**
 * Returns the stored passwords that a form keeps (see `staysStored`). Throws Refusal `invalid_input` with the field's text if one is
 * missing, or if the form's other password equals a kept one.
 */
export async function keptPasswords<Stored extends Pick<StoredPassword, 'kind' | 'verifier'>>(
  form: EventForm,
  stored: Stored[],
  isOf: (password: string, verifier: string) => Promise<boolean>,
): Promise<Stored[]> {
  const wanted = wantedPasswords(form);
  const kept: Stored[] = [];
  for (const kind of PASSWORD_KINDS) {
    if (!staysStored(form, kind)) continue;
    const one = stored.find((each) => each.kind === kind);
    if (!one) throw new Refusal('invalid_input', { fields: { [FIELDS[kind]]: 'Bitte geben Sie ein Passwort ein.' } });
    const other = kind === 'upload' ? 'fotobox' : 'upload';
    if (wanted[other] && (await isOf(wanted[other], one.verifier)))
      throw new Refusal('invalid_input', { fields: { [FIELDS[other]]: 'Dieses Passwort gilt hier schon für etwas anderes.' } });
    kept.push(one);
  }
  return kept;
}
