import type { FastifyRequest } from 'fastify';
import type { Authenticate } from '../../http/bind.ts';
import type { AdminVisitor, HostVisitor } from '../../http/visitor.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Devices } from '../devices/devices.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { Cookies } from './cookies.ts';
import { sessionOwner, type Sessions } from './sessions.ts';

interface Parts {
  sessions: Sessions;
  vault: Vault;
  cookies: Cookies;
  devices: Devices;
  keyAlarm: Pick<KeyAlarm, 'guard'>;
}

/** Finds out who makes a request, from its cookies and its Device-ID header. */
export function createVisitors({ sessions, vault, cookies, devices, keyAlarm }: Parts): Authenticate {
  async function ofEvent(request: FastifyRequest, role: 'user' | 'projector'): Promise<HostVisitor | null> {
    const token = cookies.session(request, role);
    const found = token ? await sessions.find(token, role) : null;
    if (!token || !found?.eventId || !found.eventCode) return null;
    const { id, eventId, eventCode, wrapped, publicKey } = found;
    return {
      sessionId: id,
      eventId,
      eventCode,
      openEventKey: () =>
        keyAlarm.guard({ eventId }, () => vault.openWithToken(wrapped, token, sessionOwner(role, id, eventId), publicKey)),
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
      openAdminKey: () =>
        keyAlarm.guard({ admin: adminName }, () => vault.openWithToken(wrapped, token, sessionOwner('admin', id, 'operator'), publicKey)),
    };
  }

  return async (request, asks) => ({
    host: await ofEvent(request, 'user'),
    admin: await admin(request),
    projector: asks.projector ? await ofEvent(request, 'projector') : null,
    deviceId: devices.idOf(request),
    address: request.ip,
  });
}
