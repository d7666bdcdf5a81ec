import type { FastifyRequest } from 'fastify';
import type { AdminVisitor, HostVisitor, Visitor } from '../../http/visitor.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Cookies } from './cookies.ts';
import type { Sessions } from './sessions.ts';

/** Finds out who makes a request, from its cookies and its Device-ID header. */
export function createVisitors({ sessions, vault, cookies }: { sessions: Sessions; vault: Vault; cookies: Cookies }) {
  async function host(request: FastifyRequest): Promise<HostVisitor | null> {
    const token = cookies.session(request, 'user');
    const found = token ? await sessions.find(token, 'user') : null;
    if (!token || !found?.eventId || !found.eventCode) return null;
    const { id, eventId, eventCode, wrapped, publicKey } = found;
    return {
      sessionId: id,
      eventId,
      eventCode,
      openEventKey: () => vault.openWithToken(wrapped, token, { kind: 'session', owner: id, subject: eventId }, publicKey),
    };
  }

  async function admin(request: FastifyRequest): Promise<AdminVisitor | null> {
    const token = cookies.session(request, 'admin');
    const found = token ? await sessions.find(token, 'admin') : null;
    if (!token || !found?.adminId || !found.adminName) return null;
    const { id, adminId, adminName, wrapped, publicKey } = found;
    return {
      sessionId: id,
      adminId,
      username: adminName,
      publicKey,
      openAdminKey: () => vault.openWithToken(wrapped, token, { kind: 'session', owner: id, subject: 'operator' }, publicKey),
    };
  }

  return async (request: FastifyRequest): Promise<Visitor> => ({
    host: await host(request),
    admin: await admin(request),
    deviceId: cookies.deviceId(request),
    address: request.ip,
  });
}
