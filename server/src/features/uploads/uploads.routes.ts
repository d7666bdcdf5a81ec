import type { FastifyReply } from 'fastify';
import type { Http } from '../../http/bind.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { decodeHeaderText } from '../../lib/header-text.ts';
import { withConnection } from './intake/connection.ts';
import { readForm } from './intake/form.ts';
import type { Uploads } from './uploads.ts';

export function uploadRoutes(http: Http, uploads: Uploads): void {
  http.bind('POST /upload', ({ headers, visitor, request, reply }) =>
    withConnection(request, async (connection, contentLength) => {
      const { status, photo, link, sha256 } = await uploads.receive({
        visitor,
        eventCode: headers['event-code'] || null,
        deviceName: decodeHeaderText(headers['device-name'] ?? ''),
        password: headers['event-password'] === undefined ? null : decodeHeaderText(headers['event-password']),
        contentLength,
        form: readForm(request, uploads.maxBytes),
        connection,
      });
      setDigestHeader(reply, sha256);
      return { status, body: { photo, ...link } };
    }),
  );
}

/** The SHA-256 of the stored bytes, for senders that compare it with their own (RFC 9530). */
export function setDigestHeader(reply: FastifyReply, sha256: Bytes): void {
  reply.header('repr-digest', `sha-256=:${Buffer.from(sha256).toString('base64')}:`);
}
