import { Secret, TOTP } from 'otpauth';

/** For tests: computes the code that an app shows at `at` (ms since 1970). */
export const codeOf = (secret: string, at: number): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
