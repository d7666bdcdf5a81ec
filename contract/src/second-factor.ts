import { z } from 'zod';

/** Bytes in base64url, as in WebAuthn's JSON. */
const encoded = z
  .string()
  .max(20_000)
  .regex(/^[\w-]+$/);
const PublicKeyCredential = z.object({
  id: encoded,
  rawId: encoded,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
});

/** A passkey's signature, as browsers give it (AuthenticationResponseJSON). */
const PasskeyProof = PublicKeyCredential.extend({
  response: z.object({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded, userHandle: encoded.nullish() }),
});

/** A new passkey, as browsers give it (RegistrationResponseJSON). */
export const NewPasskey = PublicKeyCredential.extend({
  response: z.object({ clientDataJSON: encoded, attestationObject: encoded, transports: z.array(z.string().max(20)).max(10).optional() }),
});
export type NewPasskey = z.infer<typeof NewPasskey>;

/** A six-digit code of an authenticator app. */
export const TotpCode = z
  .string({ error: 'Bitte geben Sie den Code ein.' })
  .transform((code) => code.replace(/\s/g, ''))
  .refine((code) => /^\d{6}$/.test(code), { error: 'Der Code hat sechs Ziffern.' });

/** A second factor in a request: a code, or a passkey's signature. */
export const GivenFactor = z.union([z.object({ totp: TotpCode }), z.object({ passkey: PasskeyProof })]);
export type GivenFactor = z.output<typeof GivenFactor>;

/**
 * An administrator's second factors. `passkey` holds the options for the browser (PublicKeyCredentialRequestOptionsJSON); null: there is no
 * passkey.
 */
export const FactorAsked = z.object({ totp: z.boolean(), passkey: z.record(z.string(), z.unknown()).nullable() });
export type FactorAsked = z.infer<typeof FactorAsked>;
