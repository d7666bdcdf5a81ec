import { addDays, berlinDay } from '@feierbild/contract/berlin.ts';
import { DAY, DELETION_NEAR_DAYS, MINUTE } from '@feierbild/contract/constants.ts';
import { deletionDay } from '@feierbild/contract/event-status.ts';
import { MAIL_KINDS, templateOf, type MailTopic, type MailValues } from '@feierbild/contract/mail.ts';
import { archiveState, isUnsaved, SAVED_BY, zipContents } from '../archive/archive.ts';
import { createProof, isProof } from '../proofs/proofs.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import type { Entry, Outcome } from '../outbox/outbox.ts';
import type { Receipts } from '../receipts/receipts.ts';
import { countText, dayText, instantText, photosText } from '../../lib/german.ts';

/** Longest time that the mail of a deletion waits for the signed receipt; then it is given up, and its address is deleted. */
export const RECEIPT_WAITS = 30 * DAY;
/** Most days before the photos' last day on which a host who has not downloaded the ZIP is warned; the later mail replaces the earlier one. */
export const WARNED_DAYS = { deletion_7: DELETION_NEAR_DAYS, deletion_1: 1 } as const;
/** Days after the event within which first photos are news. */
export const FIRST_PHOTOS_DAYS = 2;
const ASK_AGAIN = 5 * MINUTE;

/** A mail to be sent: its receiver and its contents. */
export interface Letter {
  /** Null for the operator. */
  to: { address: string; name: string } | null;
  values: MailValues;
  /** The address where the host ends this kind of mail; null if it cannot be ended. */
  unsubscribe: string | null;
  /** The end of the mail's link, which a gateway may cut off and the page then asks for; null if there is no such link. */
  token: string | null;
}

/** The data of the mail about a deletion, noted because they are deleted with their event. */
export interface DeletedEvent {
  eventId: string;
  email: string;
  name: string;
  title: string;
  code: string;
  start_date: string;
  end_date: string;
  /** Number of photos that had come as previews only; absent in entries of an earlier release. */
  announced_count?: number;
}

interface Deps extends Pick<Context, 'db' | 'clock'> {
  receipts: Pick<Receipts, 'linkTo'>;
}

interface EventFacts {
  title: string;
  code: string;
  start_date: string;
  end_date: string;
}

/** Returns the values that every mail about an event may use. */
export function eventValues({ name, ...event }: EventFacts & { name: string }): MailValues {
  return {
    anrede: name === '' ? 'Hallo' : `Hallo ${name}`,
    titel: event.title,
    code: event.code,
    beginn: dayText(event.start_date),
    ende: dayText(event.end_date),
    loeschtag: dayText(deletionDay(event)),
  };
}

/** Says what a ZIP has, such as `12 Fotos und 1 Vorschau`. It counts its photos and videos together. */
function zipText({ originals, previews }: { originals: number; previews: number }, withVideos: boolean): string {
  if (!withVideos || originals === 0) return photosText(originals, 0, previews);
  const files = countText(originals, '1 Datei', 'Dateien');
  return previews === 0 ? files : `${files} und ${photosText(0, 0, previews)}`;
}

/** Creates the letters: their contents when they are sent, and whether they are still useful. */
export function createLetters({ db, clock, receipts }: Deps) {
  const proof = createProof(db);

  /** Returns the proof that a mail of this kind about this event went to this address. */
  const proofOf = async (...sent: [eventId: string, kind: string, address: string] | [eventId: string, kind: string]): Promise<string> =>
    (await proof('unsubscribe', ...sent)).slice(0, 22);

  const contactOf = (eventId: string) =>
    db.kysely
      .selectFrom('events')
      .innerJoin('host_contacts', 'host_contacts.event_id', 'events.id')
      .leftJoin('invitations', (join) => join.onRef('invitations.event_id', '=', 'events.id').on('invitations.role', '=', 'host'))
      .select(['events.id', 'title', 'code', 'start_date', 'end_date', ...SAVED_BY])
      .select(['email', 'name', 'muted', 'invitations.expires_at'])
      .where('events.id', '=', eventId)
      .where('purging_at', 'is', null)
      .executeTakeFirst();

  /** Returns the state of an event's ZIP, and what it has; photos may have arrived since it was made. */
  async function zipOf(eventId: string) {
    const columns = ['status', 'progress', 'started_at', 'photo_count', 'members'] as const;
    const row = await db.kysely.selectFrom('archives').select(columns).where('event_id', '=', eventId).executeTakeFirst();
    return { ...archiveState(row, clock.now()), ...(row ? zipContents(row) : { originals: 0, previews: 0 }) };
  }

  const dropped = (answer: string): Outcome => ({ what: 'dropped', answer });

  async function aboutDeletion({ eventId, ...event }: DeletedEvent, createdAt: number, origin: string): Promise<Letter | Outcome> {
    if (createdAt <= clock.now() - RECEIPT_WAITS) {
      const answer = `Die Löschung ließ sich ${RECEIPT_WAITS / DAY} Tage lang nicht bestätigen; die Adresse ist gelöscht.`;
      return { what: 'refused', answer, forget: true };
    }
    const receipt = await db.kysely.selectFrom('receipts').selectAll().where('event_id', '=', eventId).executeTakeFirst();
    if (!receipt?.signature || receipt.keys_destroyed_at === null) return { what: 'later', until: clock.now() + ASK_AGAIN };
    const link = await receipts.linkTo({ id: eventId, code: event.code });
    const values = {
      ...eventValues(event),
      anzahl: photosText(receipt.photos, receipt.videos, event.announced_count),
      geloescht: instantText(receipt.keys_destroyed_at),
      bericht: `Das Löschprotokoll, signiert und nachprüfbar: ${origin}${link}`,
    };
    return { to: { address: event.email, name: event.name }, values, unsubscribe: null, token: link.split('#')[1] ?? null };
  }

  async function toHost(topic: MailTopic, eventId: string, secret: string | null, origin: string): Promise<Letter | Outcome> {
    const event = await contactOf(eventId);
    if (!event) return dropped('Das Event oder seine Adresse gibt es nicht mehr.');
    const { kind } = templateOf(topic);
    if (kind !== undefined && event.muted.split(' ').includes(kind)) return dropped('Abbestellt.');
    const isEmpty = event.photo_count + event.video_count === 0;
    if (kind === 'deletion' && isEmpty) return dropped('Es gibt keine Fotos mehr.');
    // The first ones were deleted since the mail was written.
    if (topic === 'first_photos' && isEmpty)
      return event.end_date < addDays(berlinDay(clock.now()), -FIRST_PHOTOS_DAYS)
        ? dropped('Es gibt keine Fotos mehr.')
        : { what: 'later', until: clock.now() + ASK_AGAIN };
    if (kind === 'deletion' && !isUnsaved(event)) return dropped('Das ZIP wurde heruntergeladen.');
    if (kind === 'begins' && event.start_date < berlinDay(clock.now())) return dropped('Das Event hat schon begonnen.');
    if (topic === 'invitation' && (secret === null || (event.expires_at ?? 0) <= clock.now()))
      return dropped('Die Einladung gilt nicht mehr.');
    const daysLeft = (Date.parse(deletionDay(event)) - Date.parse(berlinDay(clock.now()))) / DAY;
    if (topic === 'deletion_7' && daysLeft <= WARNED_DAYS.deletion_1) return dropped('Die Mail vom letzten Tag sagt es.');
    // The warnings of the new last day come in their time.
    if (kind === 'deletion' && daysLeft > WARNED_DAYS[topic as keyof typeof WARNED_DAYS]) return dropped('Das Event wurde verlängert.');
    const zip = topic === 'zip_ready' ? await zipOf(eventId) : null;
    if (zip && zip.status !== 'complete') return { what: 'later', until: clock.now() + ASK_AGAIN };
    const values = {
      ...eventValues(event),
      frist: countText(daysLeft, '1 Tag', 'Tage'),
      anzahl: zip ? zipText(zip, event.video_count > 0) : photosText(event.photo_count, event.video_count),
      uebersicht: `${origin}/manage/${event.code}`,
      karten: `${origin}/manage/${event.code}/karten`,
      ...(topic === 'invitation' && {
        link: `${origin}/einladung/${event.code}#${secret}`,
        bis: instantText(event.expires_at ?? 0),
      }),
    };
    const unsubscribe = kind === undefined ? null : `${origin}/abmelden/${eventId}.${kind}.${await proofOf(eventId, kind, event.email)}`;
    return { to: { address: event.email, name: event.name }, values, unsubscribe, token: topic === 'invitation' ? secret : null };
  }

  return {
    /** Returns the letter of an entry, or an outcome in place of a letter. `origin` begins its links, without a slash at the end. */
    async of({ topic, eventId, payload, secret, createdAt }: Entry, origin: string): Promise<Letter | Outcome> {
      if (topic === 'deleted') return aboutDeletion(payload as DeletedEvent, createdAt, origin);
      if (templateOf(topic as MailTopic).to === 'host') return toHost(topic as MailTopic, eventId as string, secret, origin);
      const { link = '', ...values } = payload as MailValues;
      // An earlier release has written complete links.
      return { to: null, values: { ...values, link: link.startsWith('/') ? origin + link : link }, unsubscribe: null, token: null };
    },

    /**
     * Ends a kind of mail for the host of an event, or begins it again; returns the kind's name. Null for a token that no mail had, or if
     * the event or the address is gone.
     */
    async unsubscribe(token: string, on: boolean): Promise<string | null> {
      const [eventId = '', kind = '', given = ''] = token.split('.');
      const name = Object.hasOwn(MAIL_KINDS, kind) ? MAIL_KINDS[kind] : undefined;
      if (name === undefined || !isUuid(eventId)) return null;
      const contact = await db.kysely.selectFrom('host_contacts').select('email').where('event_id', '=', eventId).executeTakeFirst();
      if (!contact) return null;
      const { email } = contact;
      // The proofs in mails of 0.5.0 contain no address.
      const proofs = [await proofOf(eventId, kind, email), await proofOf(eventId, kind)];
      if (!proofs.some((right) => isProof(right, given))) return null;
      return db.transaction(async (trx) => {
        const mine = trx.selectFrom('host_contacts').select('muted').where('event_id', '=', eventId).where('email', '=', email);
        const row = await mine.forUpdate().executeTakeFirst();
        if (!row) return null;
        const kinds = new Set(row.muted.split(' ').filter(Boolean));
        if (on) kinds.delete(kind);
        else kinds.add(kind);
        await trx
          .updateTable('host_contacts')
          .set({ muted: [...kinds].join(' ') })
          .where('event_id', '=', eventId)
          .execute();
        return name;
      });
    },
  };
}
