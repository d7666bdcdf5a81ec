import { PASSKEY_TIME } from '@feierbild/contract/constants.ts';
import type { GivenFactor, NewPasskey } from '@feierbild/contract/second-factor.ts';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { CLOCK_SKEW_MS } from '../../lib/clock.ts';
import { randomToken } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import { createProof, isProof } from '../proofs/proofs.ts';

/** Loaded when the first passkey is asked for: most installations never need its parsers of certificates. */
const load = () => import('@simplewebauthn/server');

type Row = Selectable<Database['passkeys']>;
type Assertion = Extract<GivenFactor, { passkey: unknown }>['passkey'];
/** The purpose of a challenge: a signature for one purpose is invalid for the other. */
type Purpose = 'passkey-new' | 'passkey-proof';

/** What was asked, as browsers return it (base64url), and the end of its time, ms since 1970. */
interface Challenge {
  value: string;
  expiresAt: number;
}

/** EdDSA, ES256, RS256 (COSE): each authenticator knows one of them. */
const ALGORITHMS = [-8, -7, -257];
/** Passkeys are bound to the host of the pages' address, as browsers see it. */
const hostOf = (origin: string): string => new URL(origin).hostname;
const named = ({ credential_id: id, transports }: Row) => ({
  id,
  transports: transports.split(' ').filter(Boolean),
});

/**
 * Passkeys by WebAuthn. A challenge is random, bound to an administrator and a purpose, and accepted once, on any node. Only what was signed
 * is kept: who has but the password could ask again and again, and remove the owner's challenges.
 */
export function createPasskeys({ db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>) {
  const proof = createProof(db);

  async function newChallenge(adminId: string, purpose: Purpose): Promise<Uint8Array<ArrayBuffer>> {
    const asked = `${randomToken()}.${clock.now() + PASSKEY_TIME}`;
    return new TextEncoder().encode(`${asked}.${await proof(purpose, adminId, asked)}`);
  }

  /** Returns the challenge that a browser has signed; null if it was never asked for, or is too old. */
  async function challengeOf(adminId: string, purpose: Purpose, clientDataJSON: string): Promise<Challenge | null> {
    const value = challengeIn(clientDataJSON);
    if (value === null) return null;
    const [random = '', end = '', mac = ''] = Buffer.from(value, 'base64url').toString().split('.');
    const expiresAt = Number(end);
    const isRight = isProof(await proof(purpose, adminId, `${random}.${end}`), mac);
    return isRight && expiresAt > clock.now() && expiresAt <= latest() ? { value, expiresAt } : null;
  }

  /** Returns the latest end of a challenge by a clock that is right. */
  const latest = (): number => clock.now() + PASSKEY_TIME + CLOCK_SKEW_MS;

  /** Takes a challenge that was signed rightly; false if it was taken before. */
  async function take(adminId: string, purpose: Purpose, { value, expiresAt }: Challenge): Promise<boolean> {
    const { kysely } = db;
    // Expired ones, and those of a clock that was ahead.
    await kysely
      .deleteFrom('factor_challenges')
      .where((is) => is.not(is.between('expires_at', clock.now() + 1, latest())))
      .execute();
    const taken = await kysely
      .insertInto('factor_challenges')
      .values({ hash: vault.lookupHash(value, purpose), admin_id: adminId, expires_at: expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return taken.numInsertedOrUpdatedRows === 1n;
  }

  return {
    /** Returns the options for a browser that is to prove one of these passkeys. */
    async ask(adminId: string, rows: Row[], origin: string) {
      const { generateAuthenticationOptions } = await load();
      return generateAuthenticationOptions({
        rpID: hostOf(origin),
        challenge: await newChallenge(adminId, 'passkey-proof'),
        allowCredentials: rows.map(named),
        userVerification: 'required',
        timeout: PASSKEY_TIME,
      });
    },

    /** Returns the passkey that has signed, with its new counter; null if the signature is invalid. */
    async verify(adminId: string, rows: Row[], assertion: Assertion, origin: string): Promise<{ id: string; counter: number } | null> {
      const challenge = await challengeOf(adminId, 'passkey-proof', assertion.response.clientDataJSON);
      const row = rows.find(({ credential_id: id }) => id === assertion.id);
      if (challenge === null || !row) return null;
      const { verifyAuthenticationResponse } = await load();
      const verified = await verifyAuthenticationResponse({
        response: assertion as AuthenticationResponseJSON,
        expectedChallenge: challenge.value,
        expectedOrigin: origin,
        expectedRPID: hostOf(origin),
        credential: { ...named(row), publicKey: new Uint8Array(row.public_key), counter: row.counter },
        requireUserVerification: true,
        // The library throws for every mismatch, also for a counter that did not increase.
      }).catch(() => null);
      if (!verified?.verified || !(await take(adminId, 'passkey-proof', challenge))) return null;
      return { id: row.id, counter: verified.authenticationInfo.newCounter };
    },

    /** Returns the options with which a browser makes a new passkey. */
    async offer({ adminId, username }: { adminId: string; username: string }, rows: Row[], site: string, origin: string) {
      const { generateRegistrationOptions } = await load();
      return generateRegistrationOptions({
        rpName: site,
        rpID: hostOf(origin),
        userID: new TextEncoder().encode(adminId),
        userName: username,
        challenge: await newChallenge(adminId, 'passkey-new'),
        excludeCredentials: rows.map(named),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
        attestationType: 'none',
        timeout: PASSKEY_TIME,
      });
    },

    /** Returns the columns of a new passkey; null if nobody asked for it, or it is invalid. */
    async accept(adminId: string, passkey: NewPasskey, origin: string) {
      const challenge = await challengeOf(adminId, 'passkey-new', passkey.response.clientDataJSON);
      if (challenge === null) return null;
      const { verifyRegistrationResponse } = await load();
      const verified = await verifyRegistrationResponse({
        response: passkey as RegistrationResponseJSON,
        expectedChallenge: challenge.value,
        expectedOrigin: origin,
        expectedRPID: hostOf(origin),
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserVerification: true,
      }).catch(() => null);
      if (!verified?.verified || !(await take(adminId, 'passkey-new', challenge))) return null;
      const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
      return { credential_id: id, public_key: publicKey as Bytes, counter, transports: transports.join(' ') };
    },
  };
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
