import type { Bytes } from '../lib/bytes.ts';

/** Who makes a request, as found by the accounts feature before the handler runs. */
export interface Visitor {
  host: HostVisitor | null;
  admin: AdminVisitor | null;
  /** A locked slideshow; null also where the call does not ask for it, so that it is a stranger everywhere else. */
  projector: ProjectorVisitor | null;
  /** From the Device-ID header, else the cookie; null where neither is a well-formed id. */
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

/** Holds what a host's session holds; what it may do with it is less. */
export type ProjectorVisitor = HostVisitor;

export interface AdminVisitor {
  sessionId: string;
  adminId: string;
  username: string;
  /** Of the pair that openAdminKey opens. */
  publicKey: Bytes;
  /** Opens the administrator's private key with the session's token; the operator's is sealed to it. Throws Tampered. */
  openAdminKey(): Bytes;
}
