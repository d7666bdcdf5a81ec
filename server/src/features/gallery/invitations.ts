import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Kysely } from 'kysely';
import type { Database, InvitedRole } from '../../database/schema.ts';
import type { Trx } from '../../database/open.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { isShortToken, randomShortToken } from '../../lib/ids.ts';
import { WrongSecret, type KeyOwner, type KeyPair } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import { deviceHash } from '../devices/devices.ts';
import type { Events } from '../events/events.ts';
import type { Ground } from '../ground.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import { openAccess } from '../photo-keys/photo-keys.ts';
import type { Sessions, StartedSession } from '../sessions/sessions.ts';

export interface Entry {
  code: string;
  /** Of the link; undefined: the device sent photos. */
  token: string | undefined;
  deviceId: string | null;
  address: string;
}

interface Parts extends Pick<Ground, 'db' | 'vault'> {
  events: Pick<Events, 'guests'>;
  sessions: Sessions;
  keyAlarm: Pick<KeyAlarm, 'guard'>;
  audit: Pick<Audit, 'record'>;
}

/**
 * Links that become a session: to the gallery with the gallery's private key, for a helper with the event's. The key is wrapped under the
 * link's token, which only the link and the host have.
 */
export function createInvitations({ db, vault, events, sessions, keyAlarm, audit }: Parts) {
  const ownerOf = (eventId: string, role: InvitedRole): KeyOwner => ({ kind: role, owner: eventId, subject: eventId });
  const tokenInfo = (eventId: string, role: InvitedRole): string => `feierbild link ${role} ${eventId}`;

  const linkOf = (kysely: Kysely<Database>, eventId: string, role: InvitedRole) =>
    kysely.selectFrom('invitations').selectAll().where('event_id', '=', eventId).where('role', '=', role).executeTakeFirst();

  /** What a link of this role opens belongs to this public key. */
  const publicKeyOf = (eventId: string, role: InvitedRole) =>
    db.kysely
      .selectFrom(role === 'gallery' ? 'gallery_keys' : 'event_keys')
      .select('public_key')
      .where('event_id', '=', eventId)
      .executeTakeFirst();

  /** The private key that the link or the device gives. Throws WrongSecret, Tampered. */
  async function open(eventId: string, role: InvitedRole, { token, deviceId }: Entry, publicKey: Bytes): Promise<Bytes | null> {
    if (token !== undefined) {
      const invitation = await linkOf(db.kysely, eventId, role);
      return invitation && isShortToken(token) ? vault.openWithToken(invitation.wrapped, token, ownerOf(eventId, role), publicKey) : null;
    }
    if (role !== 'gallery' || deviceId === null) return null;
    const device = { event_id: eventId, device_hash: deviceHash(vault, deviceId, eventId) };
    const guest = await db.kysely
      .selectFrom('gallery_guests')
      .select('access')
      .where('event_id', '=', eventId)
      .where('device_hash', '=', device.device_hash)
      .executeTakeFirst();
    if (!guest?.access) return null;
    return vault.provePrivateKey(openAccess(vault, vault.deviceKeys(deviceId, eventId).privateKey, device, guest.access), publicKey);
  }

  return {
    /** Makes a link in the transaction that gives the event its keys; the event's public key. */
    async add(trx: Trx, eventId: string, role: InvitedRole, keys: { publicKey?: Bytes; privateKey: Bytes }): Promise<Bytes> {
      const event = await trx.selectFrom('event_keys').select('public_key').where('event_id', '=', eventId).executeTakeFirst();
      if (!event) throw new Refusal('event_purged');
      const token = randomShortToken();
      const pair: KeyPair = { publicKey: keys.publicKey ?? event.public_key, privateKey: keys.privateKey };
      const wrapped = vault.wrapWithToken(pair, token, ownerOf(eventId, role));
      const sealed_token = vault.seal(event.public_key, Buffer.from(token), tokenInfo(eventId, role));
      await trx.insertInto('invitations').values({ event_id: eventId, role, wrapped, sealed_token }).execute();
      return event.public_key;
    },

    /** The token of a link, for the event's host; null where there is none. */
    async tokenOf(host: HostVisitor, role: InvitedRole): Promise<string | null> {
      const { eventId } = host;
      const row = await linkOf(db.kysely, eventId, role);
      if (!row) return null;
      return keyAlarm.guard({ eventId }, () =>
        Buffer.from(vault.open(host.openEventKey(), row.sealed_token, tokenInfo(eventId, role))).toString(),
      );
    },

    /** Opens a link, or the gallery for a device that sent photos. Throws Refusal invalid_credentials, whatever was wrong. */
    async login(role: InvitedRole, entry: Entry): Promise<StartedSession & { code: string }> {
      const event = await events.guests.resolve(cleanEventCode(entry.code));
      const keys = event && event.purging_at === null ? await publicKeyOf(event.id, role) : undefined;
      if (!event || !keys) throw new Refusal('invalid_credentials');
      let privateKey: Bytes | null;
      try {
        privateKey = await open(event.id, role, entry, keys.public_key);
      } catch (error) {
        if (error instanceof WrongSecret) throw new Refusal('invalid_credentials', { cause: error });
        return keyAlarm.guard({ eventId: event.id }, () => {
          throw error;
        });
      }
      if (!privateKey) throw new Refusal('invalid_credentials');
      const pair = { publicKey: keys.public_key, privateKey };
      return db.transaction(async (trx) => {
        // A new link, or a purge, may have come in between.
        const held = trx.selectFrom('events').select('id').where('id', '=', event.id).where('purging_at', 'is', null).forShare();
        if (!(await held.executeTakeFirst())) throw new Refusal('invalid_credentials');
        const same = trx
          .selectFrom(role === 'gallery' ? 'gallery_keys' : 'event_keys')
          .select('public_key')
          .where('event_id', '=', event.id)
          .where('public_key', '=', keys.public_key);
        if (!(await same.executeTakeFirst()) || !(await linkOf(trx, event.id, role))) throw new Refusal('invalid_credentials');
        if (role === 'helper')
          await audit.record(
            { actor: 'helper', action: 'helper.login', eventId: event.id, eventCode: event.code, address: entry.address },
            trx,
          );
        return { ...(await sessions.start(role, event.id, pair, trx)), code: event.code };
      });
    },
  };
}
