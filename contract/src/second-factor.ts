import { z } from 'zod';

/** Bytes in base64url, as WebAuthn's JSON has them. */
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

/** A code of six digits that an app shows. */
export const TotpCode = z
  .string({ error: 'Bitte geben Sie den Code ein.' })
  .transform((code) => code.replace(/\s/g, ''))
  .refine((code) => /^\d{6}$/.test(code), { error: 'Der Code hat sechs Ziffern.' });

/** A second factor as it is sent: a code, or a passkey's signature. */
export const GivenFactor = z.union([z.object({ totp: TotpCode }), z.object({ passkey: PasskeyProof })]);
export type GivenFactor = z.output<typeof GivenFactor>;

/** Which second factors an administrator has. `passkey`: what a browser is asked with (PublicKeyCredentialRequestOptionsJSON); null: none. */
export const FactorAsked = z.object({ totp: z.boolean(), passkey: z.record(z.string(), z.unknown()).nullable() });
export type FactorAsked = z.infer<typeof FactorAsked>;
