import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { decapsulate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hpkeOpen, hpkeSeal } from './hpke.ts';
import { createKeyPair, privateKeyObject, publicKeyOf } from './keys.ts';
import { Tampered } from './contexts.ts';

const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
const own = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
const info = Buffer.from('what it is for');
const secret = Buffer.from('Schönheit ist Wahrheit');

describe('HPKE', () => {
  it('has the KEM of RFC 9180 (appendix A.1.1)', () => {
    const privateKey = Buffer.from('4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8', 'hex');
    const enc = Buffer.from('37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431', 'hex');
    const shared = decapsulate(privateKeyObject(privateKey), enc);
    expect(shared.toString('hex')).toBe('fe0e18c9f024ce43799ae393c7e8fe8fce9d218875e8227b0187c04e7d2ea1fc');
    expect(Buffer.from(publicKeyOf(privateKey)).toString('hex')).toBe('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d');
  });

  it('opens what another implementation sealed', async () => {
    const keys = createKeyPair();
    const sender = await suite.createSenderContext({
      recipientPublicKey: await suite.kem.deserializePublicKey(own(keys.publicKey)),
      info: own(info),
    });
    const sealed = Buffer.concat([Buffer.from(sender.enc), Buffer.from(await sender.seal(own(secret)))]);
    expect(hpkeOpen(keys.privateKey, sealed, info).equals(secret)).toBe(true);
  });

  it('seals what another implementation opens', async () => {
    const keys = createKeyPair();
    const sealed = hpkeSeal(keys.publicKey, secret, info);
    const recipientKey = await suite.kem.deserializePrivateKey(own(keys.privateKey));
    const recipient = await suite.createRecipientContext({ recipientKey, enc: own(sealed.subarray(0, 32)), info: own(info) });
    expect(Buffer.from(await recipient.open(own(sealed.subarray(32)))).equals(secret)).toBe(true);
  });

  it('refuses every flipped byte, other keys, other infos, cut bytes and low-order points', () => {
    const keys = createKeyPair();
    const sealed = hpkeSeal(keys.publicKey, secret, info);
    for (let at = 0; at < sealed.length; at += 1) {
      const copy = Buffer.from(sealed);
      copy[at] = (copy[at] as number) ^ 1;
      expect(() => hpkeOpen(keys.privateKey, copy, info), `byte ${at}`).toThrow(Tampered);
    }
    expect(() => hpkeOpen(createKeyPair().privateKey, sealed, info)).toThrow(Tampered);
    expect(() => hpkeOpen(keys.privateKey, sealed, Buffer.from('else'))).toThrow(Tampered);
    for (const length of [0, 31, 32, 47, sealed.length - 1])
      expect(() => hpkeOpen(keys.privateKey, sealed.subarray(0, length), info)).toThrow(Tampered);
    expect(() => hpkeOpen(keys.privateKey, Buffer.concat([Buffer.alloc(32), sealed.subarray(32)]), info)).toThrow(Tampered);
  });
});
