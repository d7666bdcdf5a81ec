import type { TokenScope } from '@feierbild/contract/constants.ts';
import type { Bytes } from '../lib/bytes.ts';

/** The sender of a request, identified before the handler runs. */
export interface Visitor {
  /** For calls with the scope `photos:read`, also the program whose token the event's host has made. */
  host: HostVisitor | null;
  admin: AdminVisitor | null;
  /** Null for calls that do not ask for one. A browser has the session of an administrator or of an assistant. */
  assistant: AssistantVisitor | null;
  /**
   * A locked slideshow, and the host's helper: they have the keys of a host's session, but fewer calls. Like a guest in the gallery, they
   * are null for calls that do not accept them.
   */
  projector: HostVisitor | null;
  helper: HostVisitor | null;
  gallery: GalleryVisitor | null;
  /** A program with a token, for calls that take one; all other visitors are null then. */
  token: TokenVisitor | null;
  /** Id in the Device-ID header, else in the cookie; null: neither has a well-formed id. */
  deviceId: string | null;
  /** The client's IP address (behind trusted proxies the forwarded one). */
  address: string;
}

/** A visitor without a session. */
export const NOBODY = { host: null, admin: null, assistant: null, projector: null, helper: null, gallery: null, token: null } as const;

export interface HostVisitor {
  sessionId: string;
  eventId: string;
  eventCode: string;
  /** Opens the event's private key with the session's token. Throws Tampered. */
  openEventKey(): Bytes;
}

/** A guest in an event's gallery. */
export interface GalleryVisitor extends Omit<HostVisitor, 'openEventKey'> {
  /** Opens the gallery's private key with the session's token. Throws Tampered. */
  openGalleryKey(): Bytes;
}

export interface AdminVisitor {
  sessionId: string;
  adminId: string;
  username: string;
  /** The account lacks the required second factor: most calls are refused until it has one. */
  mustSecure: boolean;
  /** The public key that belongs to the key of openAdminKey. */
  publicKey: Bytes;
  /** Opens the administrator's private key, to which the operator's key is sealed, with the session's token. Throws Tampered. */
  openAdminKey(): Bytes;
}

/** An assistant helps the operator with events. The session opens only the assistant's own key, which opens no other. */
export interface AssistantVisitor {
  sessionId: string;
  assistantId: string;
  username: string;
  mustSecure: boolean;
  publicKey: Bytes;
  /** Opens the assistant's own private key with */
  openOwnKey(): Bytes;
}

/** A program that acts for the operator. Its token opens no key. */
export interface TokenVisitor {
  tokenId: string;
  name: string;
  scopes: readonly TokenScope[];
  secret: string;
}

/** Visitors with an operator's account. */
export type Staff = AdminVisitor | AssistantVisitor;
/** Visitors who may change events. */
export type Operator = Staff | TokenVisitor;

export type DeviceVisitor = Visitor & { deviceId: string };
