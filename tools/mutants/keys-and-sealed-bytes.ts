import type { Mutant } from './mutant.ts';

/** Mutants of keys and sealed bytes. */
export const KEYS_AND_SEALED_BYTES: Mutant[] = [
  {
    in: 'vault/segments.ts',
    says: 'the last segment is sealed like any other, so a cut blob opens',
    change: ['bytes[NONCE_LENGTH - 1] = last ? 1 : 0;', 'bytes[NONCE_LENGTH - 1] = 0; void last;'],
    noticed: ['vault/vectors.test.ts', 'vault/segments.test.ts'],
    by: '',
  },
  {
    in: 'vault/segments.ts',
    says: 'bytes behind the end of a blob go unnoticed',
    change: ['if (index === count - 1) await pieces.expectEnd();', ''],
    noticed: ['vault/segments.test.ts'],
    by: '',
  },
  {
    in: 'vault/segments.ts',
    says: 'a thumbnail’s bytes open as the original of the same photo',
    change: ["label('blob', eventId, photoId, variant)", "label('blob', eventId, photoId)"],
    noticed: ['vault/segments.test.ts', 'vault/vectors.test.ts'],
    by: '',
  },
  {
    in: 'vault/tokens.ts',
    says: 'a private key is taken that does not belong to the public one',
    change: [
      "return provedPrivateKey(openUnder(wrapped, token, 'token-wrap', ownerLabel(owner, publicKey)), publicKey);",
      "return openUnder(wrapped, token, 'token-wrap', ownerLabel(owner, publicKey)); void provedPrivateKey;",
    ],
    noticed: ['vault/vault.test.ts'],
    by: '',
  },
  {
    in: 'vault/tokens.ts',
    says: 'the hash that finds a row does not depend on what it is for',
    change: ["label('lookup', purpose)", "label('lookup', purpose && 'any')"],
    noticed: ['vault/vectors.test.ts', 'vault/vault.test.ts'],
    by: '',
  },
  {
    in: 'vault/wrapping.ts',
    says: 'changed bytes are told as a wrong password',
    change: ['if (!timingSafeEqual(wrapped.subarray(COMMITMENT_AT, BOX_AT), derived.subarray(KEY_LENGTH)))', 'if (false)'],
    noticed: ['vault/vault.test.ts'],
    by: '',
  },
  {
    in: 'vault/photo-secrets.ts',
    says: 'the key of one photo is taken for that of another',
    change: ["return label('covered-key', eventId, photoId, holder);", "return label('covered-key', eventId, holder); void photoId;"],
    noticed: ['vault/vault.test.ts', 'vault/vectors.test.ts'],
    by: '',
  },
];
