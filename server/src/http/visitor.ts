import type { Bytes } from '../lib/bytes.ts';

/** Who makes a request; found out before the handler runs. */
export interface Visitor {
  host: HostVisitor | null;
  admin: AdminVisitor | null;
  /** A locked slideshow: the keys of a host's session, fewer calls. Null for those that do not accept it, so that it has no access to them. */
  projector: HostVisitor | null;
  /** From the Device-ID header, else from the cookie; null if neither contains a well-formed id. */
  deviceId: string | null;
  /** The client's address (behind trusted proxies the forwarded one). */
  address: string;
}

export interface HostVisitor {
  sessionId: string;
  eventId: string;
  eventCode: string;
  /** Opens the event's private key with the session's token. Throws Tampered. */
  openEventKey(): Bytes;
}

export interface AdminVisitor {
  sessionId: string;
  adminId: string;
  username: string;
  /** The public key that belongs to the key of openAdminKey. */
  publicKey: Bytes;
  /** Opens the administrator's private key, to which the operator's key is sealed, with the session's token. Throws Tampered. */
  openAdminKey(): Bytes;
}

/** A visitor with a device. */
export type DeviceVisitor = Visitor & { deviceId: string };
