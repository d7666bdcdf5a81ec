import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** For tests: a passkey's answer; tests can make each part wrong. */
interface Said {
  origin: string;
  /** The host that the passkey is bound to. */
  rpId: string;
  counter: number;
  /** Whether the person was asked for a finger or a PIN. */
  verified: boolean;
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
/** CBOR of a text of up to 23 letters, and of bytes with up to 255, in the shortest form. */
const cborText = (words: string): Buffer => Buffer.concat([Buffer.from([0x60 + words.length]), Buffer.from(words)]);
const cborBytes = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);

/** For tests: makes a passkey in memory (ES256) that answers as an authenticator and its browser do. */
export function createPasskey(usual: Said) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(16);
  const common = { id: text(credentialId), rawId: text(credentialId), type: 'public-key' as const, clientExtensionResults: {} };
  const clientData = (type: string, challenge: string, origin: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  function authenticatorData({ rpId, counter, verified }: Said, more: Uint8Array[] = []): Buffer {
    const flags = 1 | (verified ? 4 : 0) | (more.length > 0 ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, ...more]);
  }

  return {
    /** RegistrationResponseJSON */
    register(challenge: string, wrong: Partial<Said> = {}) {
      const said = { ...usual, ...wrong };
      const point = (label: number, value: string): Buffer =>
        Buffer.concat([Buffer.from([label]), cborBytes(Buffer.from(value, 'base64url'))]);
      // kty EC2, alg ES256, crv P-256, x, y
      const key = Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]), point(0x21, x), point(0x22, y)]);
      const data = authenticatorData(said, [Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, key]);
      const none = Buffer.concat([cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])]);
      const attestationObject = text(Buffer.concat([Buffer.from([0xa3]), none, cborText('authData'), cborBytes(data)]));
      const clientDataJSON = text(clientData('webauthn.create', challenge, said.origin));
      return { ...common, response: { clientDataJSON, attestationObject, transports: ['internal'] } };
    },

    /** AuthenticationResponseJSON */
    prove(challenge: string, wrong: Partial<Said> & { type?: string } = {}) {
      const said = { ...usual, ...wrong };
      const client = clientData(wrong.type ?? 'webauthn.get', challenge, said.origin);
      const data = authenticatorData(said);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return { ...common, response: { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signature) } };
    },
  };
}
