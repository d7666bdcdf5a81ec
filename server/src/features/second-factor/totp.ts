import { Secret, TOTP } from 'otpauth';

/** Time for which a code is shown, seconds; the codes before and after it are accepted, too. */
const PERIOD_S = 30;
const STEPS_AROUND = 1;
/** Bytes of a secret, as RFC 4226 recommends. */
const SECRET_LENGTH = 20;

/** Makes a new secret in base32, as apps take it. */
export const newSecret = (): string => new Secret({ size: SECRET_LENGTH }).base32;

/** Returns the text of the QR code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret), issuer, label, period: PERIOD_S }).toString();
}

/** Returns the time step of a code at `now` (ms since 1970); null for a wrong code. */
export function stepOf(secret: string, code: string, now: number): number | null {
  const delta = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S }).validate({
    token: code,
    timestamp: now,
    window: STEPS_AROUND,
  });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta;
}
