import { createHmac, randomBytes } from 'node:crypto';
import { request, type Agent } from 'node:http';

/** The answer to a WebDAV request in tests. */
export interface DavAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export const FOTOBOX = 'Größe & Knipsekasten';

/** Returns a function that sends a request as one booth; the path is sent as it is. */
export function davClient(current: () => { port: number; code: string; user?: string; password?: string; software?: string }) {
  return (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array | string,
    agent?: Agent,
  ): Promise<DavAnswer> => {
    const { port, code, user = code, password = FOTOBOX, software = 'Booth/1.0' } = current();
    const { promise, resolve, reject } = Promise.withResolvers<DavAnswer>();
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const sending = request(
      { port, method, path, ...(agent && { agent }), headers: { authorization, 'user-agent': software, ...headers } },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces).toString('latin1') }),
        );
        response.on('error', reject);
      },
    );
    sending.on('error', reject);
    sending.end(body);
    return promise;
  };
}

/** Makes a token as a booth does (docs/fotobox.md). */
export function boothToken(key: string, eventId: string, at = Date.now(), hint = Buffer.from(eventId.slice(-8), 'hex')): string {
  const minute = Buffer.alloc(4);
  minute.writeUInt32BE(Math.floor(at / 60_000));
  const head = Buffer.concat([hint, randomBytes(16 - hint.length), minute]);
  const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update('feierbild/v1/booth-token').update(eventId).update(head).digest();
  return Buffer.concat([head, mac.subarray(0, 8)]).toString('base64url');
}
