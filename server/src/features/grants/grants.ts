import { HOUR } from '@feierbild/contract/constants.ts';
import type { AuditAction } from '@feierbild/contract/calls/admins.ts';
import type { ErrorCode } from '@feierbild/contract/errors.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Kysely } from 'kysely';
import type { EventRow } from '../../database/rows.ts';
import type { Database, InvitedRole } from '../../database/schema.ts';
import type { Trx } from '../../database/open.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import { addressNetwork } from '../../lib/address.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { Refusal } from '../../lib/errors.ts';
import { isShortToken, randomShortToken } from '../../lib/ids.ts';
import { WrongSecret, type KeyOwner, type KeyPair } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import { deviceHash } from '../devices/devices.ts';
import type { Context } from '../context.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import { openAccess } from '../photo-keys/photo-keys.ts';
import type { Sessions, StartedSession } from '../sessions/sessions.ts';
import { endBy, type Act, type GrantRole } from './ends.ts';

export interface Entry {
  code: string;
  /** The link's token; undefined for a device that sent photos. */
  token: string | undefined;
  deviceId?: string | null;
}

/** A host's call for the host's own event. */
export interface Asked {
  event: EventRow;
  host: HostVisitor;
  address: string;
}

interface Grant {
  /** The table of the link's key pair: the event's, or the gallery's. */
  keys: 'event_keys' | 'gallery_keys';
  kind: KeyOwner['kind'];
  /** The refusal for a wrong code, a wrong token and an ended link alike. */
  invalid: ErrorCode;
  /** The audit entry of a login; guests leave none. */
  login?: { actor: string; action: AuditAction };
}

const GRANTS: Record<GrantRole, Grant> = {
  host: { keys: 'event_keys', kind: 'invitation', invalid: 'invitation_invalid' },
  gallery: { keys: 'gallery_keys', kind: 'gallery', invalid: 'invalid_credentials' },
  helper: { keys: 'event_keys', kind: 'helper', invalid: 'invalid_credentials', login: { actor: 'helper', action: 'helper.login' } },
  projector: {
    keys: 'event_keys',
    kind: 'projector',
    invalid: 'invalid_credentials',
    login: { actor: 'projector', action: 'wall.opened' },
  },
};

interface Deps extends Pick<Context, 'db' | 'vault' | 'clock'> {
  sessions: Pick<Sessions, 'start' | 'mustLive'>;
  keyAlarm: Pick<KeyAlarm, 'guard'>;
  audit: Pick<Audit, 'record'>;
  /** Changes an event, and runs `also` in the same transaction. Throws Refusal `event_changed`, `event_purged`. */
  change(event: EventRow, columns: object, also: (trx: Trx) => Promise<void>): Promise<void>;
}

export type Grants = ReturnType<typeof createGrants>;

/**
 * Creates the links that open an event: its host's invitation, its gallery, its helper's page, its wall. A link has a private key that its
 * token wraps; only the link and the host have the token. `ends.ts` says how links end.
 */
export function createGrants({ db, vault, clock, sessions, keyAlarm, audit, change }: Deps) {
  const ownerOf = (eventId: string, role: GrantRole): KeyOwner => ({ kind: GRANTS[role].kind, owner: eventId, subject: eventId });
  const tokenInfo = (eventId: string, role: GrantRole): string => `feierbild link ${role} ${eventId}`;

  const linkOf = (kysely: Kysely<Database>, eventId: string, role: GrantRole) =>
    kysely.selectFrom('invitations').selectAll().where('event_id', '=', eventId).where('role', '=', role).executeTakeFirst();

  const keysOf = (kysely: Kysely<Database>, eventId: string, role: GrantRole) =>
    kysely.selectFrom(GRANTS[role].keys).select('public_key').where('event_id', '=', eventId).executeTakeFirst();

  /** Reads a link with its public key, in one statement: a new link of the gallery replaces both. */
  const linkWithKey = (eventId: string, role: GrantRole) =>
    db.kysely
      .selectFrom('invitations')
      // Both tables have the column.
      .innerJoin(`${GRANTS[role].keys} as keys` as 'gallery_keys as keys', 'keys.event_id', 'invitations.event_id')
      .selectAll('invitations')
      .select('keys.public_key')
      .where('invitations.event_id', '=', eventId)
      .where('role', '=', role)
      .executeTakeFirst();

  /** Opens the gallery's key pair for a device that sent photos; null if it has no access. */
  async function openForDevice(eventId: string, deviceId: string): Promise<KeyPair | null> {
    const device = { event_id: eventId, device_hash: deviceHash(vault, deviceId, eventId) };
    const guest = await db.kysely
      .selectFrom('gallery_guests')
      .innerJoin('gallery_keys', 'gallery_keys.event_id', 'gallery_guests.event_id')
      .select(['access', 'public_key as publicKey'])
      .where('gallery_guests.event_id', '=', eventId)
      .where('device_hash', '=', device.device_hash)
      .executeTakeFirst();
    if (!guest?.access) return null;
    const { access, publicKey } = guest;
    const privateKey = openAccess(vault, vault.deviceKeys(deviceId, eventId).privateKey, device, access);
    return { publicKey, privateKey: vault.provePrivateKey(privateKey, publicKey) };
  }

  /** Returns the event of a link, with the key that its token opens. Throws the grant's one Refusal. */
  async function open(role: GrantRole, { code, token, deviceId = null }: Entry) {
    const found = db.kysely.selectFrom('events').select(['id', 'code', 'title']).where('code', '=', cleanEventCode(code));
    const event = await found.where('purging_at', 'is', null).executeTakeFirst();
    const invalid = (cause?: unknown): Refusal => new Refusal(GRANTS[role].invalid, { cause });
    if (!event) throw invalid();
    const link = token === undefined ? undefined : await linkWithKey(event.id, role);
    let keys: KeyPair | null = null;
    try {
      if (token === undefined && role === 'gallery' && deviceId !== null) keys = await openForDevice(event.id, deviceId);
      else if (link && isShortToken(token ?? '') && (link.expires_at ?? Infinity) > clock.now()) {
        const { wrapped, public_key: publicKey } = link;
        keys = { publicKey, privateKey: vault.openWithToken(wrapped, token as string, ownerOf(event.id, role), publicKey) };
      }
    } catch (error) {
      if (error instanceof WrongSecret) throw invalid(error);
      return keyAlarm.guard({ eventId: event.id }, () => {
        throw error;
      });
    }
    if (!keys) throw invalid();
    return { event, link, keys };
  }

  /** Logins that were recorded within the hour, by event and network, so that repeated ones do not fill the audit log. */
  const noted = createSingleFlight<void>({ successMs: HOUR });

  const end = (act: Act, eventId: string, trx: Trx): Promise<void> => endBy(act, eventId, trx);

  return {
    open,
    end,

    /** Makes a link in the transaction that gives the event its keys, valid until `expiresAt`, ms since 1970, or until it is ended. */
    async add(trx: Trx, eventId: string, role: GrantRole, keys: { publicKey?: Bytes; privateKey: Bytes }, expiresAt: number | null = null) {
      const event = await trx.selectFrom('event_keys').select('public_key').where('event_id', '=', eventId).executeTakeFirst();
      if (!event) throw new Refusal('event_purged');
      const token = randomShortToken();
      const pair: KeyPair = { publicKey: keys.publicKey ?? event.public_key, privateKey: keys.privateKey };
      const wrapped = vault.wrapWithToken(pair, token, ownerOf(eventId, role));
      const sealed_token = vault.seal(event.public_key, Buffer.from(token), tokenInfo(eventId, role));
      await trx.insertInto('invitations').values({ event_id: eventId, role, wrapped, sealed_token, expires_at: expiresAt }).execute();
      return { token, eventKey: event.public_key };
    },

    /** Opens the token of a link for the event's host; null if there is none. */
    async tokenOf(host: HostVisitor, role: InvitedRole): Promise<string | null> {
      const { eventId } = host;
      const row = await linkOf(db.kysely, eventId, role);
      if (!row) return null;
      return keyAlarm.guard({ eventId }, () =>
        Buffer.from(vault.open(host.openEventKey(), row.sealed_token, tokenInfo(eventId, role))).toString(),
      );
    },

    /**
     * Ends an act's links and sessions (null: none); `also` may make new ones in the same transaction. Throws Refusal `event_changed`,
     * `event_purged`, `login_required`.
     */
    async replace(
      act: Act | null,
      { event, host, address }: Asked,
      action: AuditAction,
      also?: (trx: Trx) => Promise<unknown>,
    ): Promise<void> {
      await change(event, {}, async (trx) => {
        await sessions.mustLive(host.sessionId, trx);
        if (act) await end(act, event.id, trx);
        await also?.(trx);
        await audit.record({ actor: 'host', action, eventId: event.id, eventCode: event.code, address }, trx);
      });
      await db.eraseDeleted();
    },

    /** Starts a session by a link, or in the gallery by a device that sent photos. Throws Refusal `invalid_credentials`. */
    async login(role: InvitedRole, entry: Entry, address: string): Promise<StartedSession & { code: string }> {
      const { event, link, keys } = await open(role, entry);
      const started = await db.transaction(async (trx) => {
        // A new link or a purge may have come in between.
        const held = trx.selectFrom('events').select('id').where('id', '=', event.id).where('purging_at', 'is', null).forShare();
        const there = (await held.executeTakeFirst()) && (await linkOf(trx, event.id, role));
        const isThere = there && (!link || Buffer.from(there.wrapped).equals(link.wrapped));
        const now = isThere ? await keysOf(trx, event.id, role) : undefined;
        if (!now || !Buffer.from(now.public_key).equals(keys.publicKey)) throw new Refusal('invalid_credentials');
        return { ...(await sessions.start(role, event.id, keys, trx)), code: event.code };
      });
      const { login } = GRANTS[role];
      const note = async (): Promise<void> => login && audit.record({ ...login, eventId: event.id, eventCode: event.code, address });
      if (login) await noted.run(`${role} ${event.id} ${addressNetwork(address)}`, note);
      return started;
    },

    /** Deletes the keys of links that have expired. */
    async endExpired(): Promise<void> {
      await db.kysely.deleteFrom('invitations').where('expires_at', '<=', clock.now()).execute();
    },
  };
}
