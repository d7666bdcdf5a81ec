import type { TokenScope } from '@feierbild/contract/constants.ts';
import type { Bytes } from '../lib/bytes.ts';

/** Who makes a request; found out before the handler runs. */
export interface Visitor {
  /** In calls that take a token for `photos:read` also the program that has one, which its event's host has made. */
  host: HostVisitor | null;
  admin: AdminVisitor | null;
  /** Null for calls that are not asked for one. A browser has an administrator's session or an assistant's. */
  assistant: AssistantVisitor | null;
  /**
   * A locked slideshow, and the host's helper: the keys of a host's session, and fewer calls. Like a guest in the gallery, they are null
   * for calls that do not accept them.
   */
  projector: HostVisitor | null;
  helper: HostVisitor | null;
  gallery: GalleryVisitor | null;
  /** A program with a token, for calls that take one; with it nobody else. */
  token: TokenVisitor | null;
  /** From the Device-ID header, else from the cookie; null if neither contains a well-formed id. */
  deviceId: string | null;
  /** The client's address (behind trusted proxies the forwarded one). */
  address: string;
}

/** Who has no session. */
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
  /** All accounts need a second factor, and this one has none: most calls are refused until there is one. */
  mustSecure: boolean;
  /** The public key that belongs to the key of openAdminKey. */
  publicKey: Bytes;
  /** Opens the administrator's private key, to which the operator's key is sealed, with the session's token. Throws Tampered. */
  openAdminKey(): Bytes;
}

/** Who helps the operator with events. Opens no key but the own one, which leads to no other. */
export interface AssistantVisitor {
  sessionId: string;
  assistantId: string;
  username: string;
  mustSecure: boolean;
  publicKey: Bytes;
  /** Opens the own private key with the session's token. Throws Tampered. */
  openOwnKey(): Bytes;
}

/** A program that acts for the operator. It opens no key. */
export interface TokenVisitor {
  tokenId: string;
  name: string;
  scopes: readonly TokenScope[];
  /** The token itself. */
  secret: string;
}

/** Who has an account of the operator. */
export type Staff = AdminVisitor | AssistantVisitor;
/** Who may change events. */
export type Operator = Staff | TokenVisitor;

/** A visitor with a device. */
export type DeviceVisitor = Visitor & { deviceId: string };
