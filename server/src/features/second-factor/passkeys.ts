import { randomBytes } from 'node:crypto';
import { PASSKEY_TIME, PASSKEYS_ASKED } from '@feierbild/contract/constants.ts';
import type { GivenFactor, NewPasskey } from '@feierbild/contract/second-factor.ts';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { CLOCK_SKEW_MS } from '../../lib/clock.ts';
import type { Context } from '../context.ts';

/** Loaded when the first passkey is asked for: most installations never need its parsers of certificates. */
const load = () => import('@simplewebauthn/server');

type Row = Selectable<Database['passkeys']>;
type Assertion = Extract<GivenFactor, { passkey: unknown }>['passkey'];
/** The purpose of a challenge: a signature for one purpose is invalid for the other. */
type Purpose = 'passkey-new' | 'passkey-proof';

const CHALLENGE_LENGTH = 32;
/** EdDSA, ES256, RS256 (COSE): each authenticator knows one of them. */
const ALGORITHMS = [-8, -7, -257];
/** Passkeys are bound to the host of the pages' address, as browsers see it. */
const hostOf = (origin: string): string => new URL(origin).hostname;
const named = ({ credential_id: id, transports }: Row) => ({
  id,
  transports: transports.split(' ').filter(Boolean),
});

/** Passkeys by WebAuthn. A challenge is random, bound to an administrator and a purpose, and accepted once, on any node. */
export function createPasskeys({ db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>) {
  const hashOf = (challenge: string, purpose: Purpose): Bytes => vault.lookupHash(challenge, purpose);

  async function newChallenge(adminId: string, purpose: Purpose): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = new Uint8Array(randomBytes(CHALLENGE_LENGTH));
    const now = clock.now();
    const hash = hashOf(Buffer.from(challenge).toString('base64url'), purpose);
    const { kysely } = db;
    await kysely
      .insertInto('factor_challenges')
      .values({ hash, admin_id: adminId, expires_at: now + PASSKEY_TIME })
      .execute();
    // Removes expired challenges and those of a clock that was ahead, and this administrator's oldest beyond PASSKEYS_ASKED.
    const latest = now + PASSKEY_TIME + CLOCK_SKEW_MS;
    const own = kysely.selectFrom('factor_challenges').select('hash').where('admin_id', '=', adminId);
    const kept = own.where('expires_at', '<=', latest).orderBy('expires_at', 'desc');
    await kysely
      .deleteFrom('factor_challenges')
      .where((is) =>
        is.or([
          is.not(is.between('expires_at', now + 1, latest)),
          is.and([is('admin_id', '=', adminId), is('hash', 'not in', kept.limit(PASSKEYS_ASKED))]),
        ]),
      )
      .execute();
    return challenge;
  }

  /** Takes the challenge that a browser has signed; null if it was never asked for, was taken already, or is too old. */
  async function takeChallenge(adminId: string, purpose: Purpose, clientDataJSON: string): Promise<string | null> {
    const challenge = challengeIn(clientDataJSON);
    if (challenge === null) return null;
    const taken = db.kysely
      .deleteFrom('factor_challenges')
      .where('hash', '=', hashOf(challenge, purpose))
      .where('admin_id', '=', adminId)
      .where('expires_at', '>', clock.now())
      .returning('hash');
    return (await taken.executeTakeFirst()) ? challenge : null;
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
      const expectedChallenge = await takeChallenge(adminId, 'passkey-proof', assertion.response.clientDataJSON);
      const row = rows.find(({ credential_id: id }) => id === assertion.id);
      if (expectedChallenge === null || !row) return null;
      const { verifyAuthenticationResponse } = await load();
      const verified = await verifyAuthenticationResponse({
        response: assertion as AuthenticationResponseJSON,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: hostOf(origin),
        credential: { ...named(row), publicKey: new Uint8Array(row.public_key), counter: row.counter },
        requireUserVerification: true,
        // The library throws for every mismatch, also for a counter that did not increase.
      }).catch(() => null);
      return verified?.verified ? { id: row.id, counter: verified.authenticationInfo.newCounter } : null;
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
      const expectedChallenge = await takeChallenge(adminId, 'passkey-new', passkey.response.clientDataJSON);
      if (expectedChallenge === null) return null;
      const { verifyRegistrationResponse } = await load();
      const verified = await verifyRegistrationResponse({
        response: passkey as RegistrationResponseJSON,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: hostOf(origin),
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserVerification: true,
      }).catch(() => null);
      if (!verified?.verified) return null;
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
