import type { FastifyRequest } from 'fastify';
import type { Authenticate } from '../../http/bind.ts';
import type { AdminVisitor, HostVisitor } from '../../http/visitor.ts';
import type { Devices } from '../devices/devices.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { Cookies, FoundSession, Role, Sessions } from './sessions.ts';

interface Parts {
  sessions: Sessions;
  cookies: Cookies;
  devices: Devices;
  keyAlarm: Pick<KeyAlarm, 'guard'>;
}

/** Finds out who makes a request, from its cookies and its Device-ID header. */
export function createVisitors({ sessions, cookies, devices, keyAlarm }: Parts): Authenticate {
  async function session(request: FastifyRequest, role: Role): Promise<FoundSession | null> {
    const token = cookies[role].of(request);
    return token ? sessions.find(token, role) : null;
  }

  async function ofEvent(request: FastifyRequest, role: 'user' | 'projector'): Promise<HostVisitor | null> {
    const found = await session(request, role);
    if (!found) return null;
    const { id: sessionId, ownerId: eventId, ownerName: eventCode, openKey } = found;
    return { sessionId, eventId, eventCode, openEventKey: () => keyAlarm.guard({ eventId }, openKey) };
  }

  async function admin(request: FastifyRequest): Promise<AdminVisitor | null> {
    const found = await session(request, 'admin');
    if (!found) return null;
    const { id: sessionId, ownerId: adminId, ownerName: username, publicKey, openKey } = found;
    return { sessionId, adminId, username, publicKey, openAdminKey: () => keyAlarm.guard({ admin: username }, openKey) };
  }

  return async (request, asks) => ({
    host: await ofEvent(request, 'user'),
    admin: await admin(request),
    projector: asks.projector ? await ofEvent(request, 'projector') : null,
    deviceId: devices.idOf(request),
    address: request.ip,
  });
}
