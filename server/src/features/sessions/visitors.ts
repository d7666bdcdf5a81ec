import type { LimitedRole } from '@feierbild/contract/call.ts';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Authenticate } from '../../http/bind.ts';
import {
  NOBODY,
  type AdminVisitor,
  type AssistantVisitor,
  type GalleryVisitor,
  type HostVisitor,
  type Visitor,
} from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import type { Devices } from '../devices/devices.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { SettingsFeature } from '../settings/settings.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { PROGRAM_PREFIX, type CookieRole, type Cookies, type Sessions } from './sessions.ts';

interface VisitorDeps {
  sessions: Sessions;
  cookies: Cookies;
  devices: Devices;
  keyAlarm: Pick<KeyAlarm, 'guard'>;
  tokens: Pick<Tokens, 'authenticate'>;
  settings: Pick<SettingsFeature, 'get'>;
}

/** Finds out who makes a request: from its Bearer token if its call takes one, else from its cookies and its Device-ID header. */
export function createVisitors({ sessions, cookies, devices, keyAlarm, tokens, settings }: VisitorDeps): Authenticate {
  async function session(request: FastifyRequest, role: CookieRole) {
    const token = cookies[role].of(request);
    return token ? sessions.find(token, role) : null;
  }

  async function ofEvent(request: FastifyRequest, role: 'user' | 'projector' | 'helper', asked = true): Promise<HostVisitor | null> {
    return hostOf(asked ? await session(request, role) : null);
  }

  /** Makes the host's visitor, who can open the event's key. */
  function hostOf(found: Awaited<ReturnType<Sessions['find']>>): HostVisitor | null {
    if (!found) return null;
    const { id: sessionId, ownerId: eventId, ownerName: eventCode, openKey } = found;
    return { sessionId, eventId, eventCode, openEventKey: () => keyAlarm.guard({ eventId }, openKey) };
  }

  /** Finds the visitor of a program to which an event's host has given access to the photos. */
  const program = async (bearer: string): Promise<HostVisitor | null> =>
    bearer.startsWith(PROGRAM_PREFIX) ? hostOf(await sessions.find(bearer.slice(PROGRAM_PREFIX.length), 'program')) : null;

  /**
   * Gallery keys by connection: a guest's page loads thirty thumbnails over a few connections; each opens the key once and forgets it at
   * its end.
   */
  const galleryKeys = new WeakMap<Socket, { sessionId: string; publicKey: Bytes; key: Bytes }>();

  async function inGallery(request: FastifyRequest, asked: boolean): Promise<GalleryVisitor | null> {
    const found = asked ? await session(request, 'gallery') : null;
    if (!found) return null;
    const { id: sessionId, ownerId: eventId, ownerName: eventCode, publicKey, openKey } = found;
    const openGalleryKey = (): Bytes => {
      const kept = galleryKeys.get(request.socket);
      if (kept?.sessionId === sessionId && Buffer.compare(kept.publicKey, publicKey) === 0) return kept.key;
      const key = keyAlarm.guard({ eventId }, openKey);
      galleryKeys.set(request.socket, { sessionId, publicKey, key });
      return key;
    };
    return { sessionId, eventId, eventCode, openGalleryKey };
  }

  const required = (): boolean => settings.get('access')?.secondFactor === true;

  async function admin(request: FastifyRequest): Promise<AdminVisitor | null> {
    const found = await session(request, 'admin');
    if (!found) return null;
    const { id: sessionId, ownerId: adminId, ownerName: username, publicKey, secured, openKey } = found;
    const mustSecure = required() && !secured;
    return { sessionId, adminId, username, mustSecure, publicKey, openAdminKey: () => keyAlarm.guard({ admin: username }, openKey) };
  }

  async function assistant(request: FastifyRequest, asked: boolean): Promise<AssistantVisitor | null> {
    const found = asked ? await session(request, 'assistant') : null;
    if (!found) return null;
    const { id: sessionId, ownerId: assistantId, ownerName: username, publicKey, secured, openKey } = found;
    const mustSecure = required() && !secured;
    return { sessionId, assistantId, username, mustSecure, publicKey, openOwnKey: () => keyAlarm.guard({ admin: username }, openKey) };
  }

  async function byCookies(request: FastifyRequest, asked: ReadonlySet<LimitedRole>): Promise<Visitor> {
    return {
      token: null,
      host: await ofEvent(request, 'user'),
      admin: await admin(request),
      assistant: await assistant(request, asked.has('assistant')),
      projector: await ofEvent(request, 'projector', asked.has('projector')),
      helper: await ofEvent(request, 'helper', asked.has('helper')),
      gallery: await inGallery(request, asked.has('gallery')),
      deviceId: devices.idOf(request),
      address: request.ip,
    };
  }

  return async (request, asked, scope) => {
    const bearer = scope && /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!bearer) return byCookies(request, asked);
    const visitor = { ...NOBODY, deviceId: null, address: request.ip };
    const host = scope === 'photos:read' ? await program(bearer) : null;
    return host ? { ...visitor, host } : { ...visitor, token: await tokens.authenticate(bearer, scope, request.ip) };
  };
}
