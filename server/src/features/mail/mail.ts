import { tones } from '@feierbild/contract/colours.ts';
import { MAILS, templateOf, type MailTopic, type MailValues } from '@feierbild/contract/mail.ts';
import type { Business } from '@feierbild/contract/calls/site.ts';
import { INVITATION } from '../../database/invitations.ts';
import type { Trx } from '../../database/open.ts';
import { cleanText } from '../../lib/clean-text.ts';
import type { Context } from '../context.ts';
import type { Entry, Outbox, Outcome } from '../outbox/outbox.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { Receipts } from '../receipts/receipts.ts';
import type { SettingsFeature } from '../settings/settings.ts';
import { createLetters, eventValues, RECEIPT_WAITS, type DeletedEvent } from './letters.ts';
import { renderMail, type MailLook } from './render.ts';
import type { MailServers, MailWay } from './mail-server.ts';
import { createSmtp, type Smtp } from './smtp.ts';

export { RECEIPT_WAITS } from './letters.ts';

const NO_SERVER = 'Es ist kein Mailserver eingerichtet.';
const ACCENT = '#a81f4b';
const LIGHT = '#f3c3d0';
/** Returns the operator's colour and its tone for dark mode. */
const coloursOf = (accent: string | undefined) => (accent ? { accent, light: tones(accent).light } : { accent: ACCENT, light: LIGHT });

interface Deps extends Pick<Context, 'db' | 'clock'> {
  outbox: Outbox;
  settings: Pick<SettingsFeature, 'get'>;
  receipts: Pick<Receipts, 'linkTo'>;
  pictures: Pick<Pictures, 'logo'>;
  servers: Pick<MailServers, 'inForce' | 'isOn'>;
  business(): { business: Business; fictitious: boolean };
  /** Replaces the connection in tests. */
  smtp?: Smtp;
}

export type Mail = ReturnType<typeof createMail>;

/**
 * Creates the mail to hosts and to the operator. A due mail is an entry of the outbox with its topic and event; letters.ts composes its
 * text when it is sent. Without a mail server nothing is written.
 */
export function createMail({ db, clock, outbox, settings, receipts, pictures, servers, business, smtp: given }: Deps) {
  const letters = createLetters({ db, clock, receipts });
  const templateInForce = (topic: MailTopic) => settings.get('mail')?.texts[topic] ?? templateOf(topic);

  async function look(origin: string): Promise<MailLook> {
    const { identity } = business().business;
    const { accent, logo } = settings.get('brand') ?? {};
    return {
      brand: identity.brand,
      imprint: `${identity.brand}\n${identity.street}, ${identity.zip} ${identity.city}`,
      ...coloursOf(accent),
      origin,
      logo: (logo && (await pictures.logo(logo.id))) ?? null,
    };
  }

  /** Returns the address for mail to the operator. */
  function operatorAddress(topic: MailTopic, from: MailWay['from']): string {
    const { business: data, fictitious } = business();
    const set = settings.get('mail')?.operator;
    if (set !== undefined) return set;
    if (fictitious) return from.address;
    return topic === 'report' ? data.disputes.reportEmail : data.contact.email;
  }

  async function send(
    { server, from, origin }: MailWay,
    to: { address: string; name: string },
    mail: object,
    signal?: AbortSignal,
  ): Promise<Exclude<Outcome, { what: 'later' }>> {
    const smtp = given ?? createSmtp(server, { ehlo: new URL(origin).hostname });
    const { senderName, replyTo } = settings.get('mail') ?? {};
    const name = senderName || from.name || business().business.identity.brand;
    const addressed = {
      from: { name: cleanText(name), address: from.address },
      to: { name: cleanText(to.name), address: to.address },
      ...(replyTo && { replyTo }),
      // Keeps out-of-office replies away (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    return smtp.send(
      { ...addressed, ...mail, headers: { ...addressed.headers, ...('headers' in mail && (mail.headers as object)) } },
      signal,
    );
  }

  async function deliver(entry: Entry, signal: AbortSignal): Promise<Outcome> {
    const topic = entry.topic as MailTopic;
    if (!Object.hasOwn(MAILS, topic)) return { what: 'refused', answer: `Diese Version kennt „${entry.topic}“ nicht.` };
    const way = await servers.inForce();
    if (!way) return { what: 'failed', answer: NO_SERVER };
    const letter = await letters.of(entry, way.origin);
    if ('what' in letter) return letter;
    const values = { ...letter.values, marke: business().business.identity.brand };
    const rendered = renderMail(templateInForce(topic), values, await look(way.origin), letter);
    const headers = letter.unsubscribe !== null && {
      'List-Unsubscribe': { prepared: true, value: `<${letter.unsubscribe}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    // Id and date are the same at each attempt, so that a server that has accepted the mail before recognises it.
    const fixed = { messageId: `<${entry.id}@${way.from.address.split('@')[1]}>`, date: new Date(entry.createdAt) };
    const to = letter.to ?? { address: operatorAddress(topic, way.from), name: '' };
    return send(way, to, { ...rendered, ...fixed, ...(headers && { headers }) }, signal);
  }

  outbox.handle('mail', deliver, { deleted: RECEIPT_WAITS });

  /** Writes a mail into the outbox; false if `once` is there already, or if no mail is sent. */
  async function write(
    trx: Trx,
    topic: MailTopic,
    entry: { eventId?: string; once?: string; payload?: object; secret?: string; told?: true; dueAt?: number },
  ): Promise<boolean> {
    if (!(await servers.isOn(trx))) return false;
    return (await outbox.add(trx, { kind: 'mail', topic, payload: {}, ...entry })) !== null;
  }

  return {
    /** Returns whether mail is sent at all. */
    isOn: (): Promise<boolean> => servers.isOn(),

    /** Writes a mail to an event's host. The address is read when the mail is sent; without one the mail is dropped. */
    toHost: (trx: Trx, topic: MailTopic, eventId: string, { once = `${topic}:${eventId}` }: { once?: string } = {}): Promise<boolean> =>
      write(trx, topic, { eventId, once }),

    /** Writes an invitation with its token, which no database holds, and drops earlier invitations. False if none is sent. */
    async invite(trx: Trx, eventId: string, token: string): Promise<boolean> {
      const contact = await trx.selectFrom('host_contacts').select('email').where('event_id', '=', eventId).executeTakeFirst();
      const open = trx.updateTable('outbox').set({ state: 'dropped', payload: null, answer: 'Ersetzt durch eine neue Einladung.' });
      await open.where('event_id', '=', eventId).where('topic', '=', INVITATION).where('state', 'in', ['waiting', 'failed']).execute();
      return contact !== undefined && write(trx, INVITATION, { eventId, secret: token });
    },

    /** Writes a mail to the operator, within a transaction or in its own; it is sent at `dueAt`, ms since 1970, or at once. */
    toOperator: (
      topic: MailTopic,
      values: MailValues,
      { once, trx, dueAt }: { once?: string | undefined; trx?: Trx; dueAt?: number } = {},
    ): Promise<boolean> => {
      // The origin of the link is known when the mail is sent.
      const entry = {
        payload: { ...values, link: topic === 'report' ? '/admin/meldungen' : '/admin' },
        ...(once !== undefined && { once }),
        ...(dueAt !== undefined && { dueAt }),
      };
      return trx ? write(trx, topic, entry) : db.transaction((own) => write(own, topic, entry));
    },

    /** Returns those of these dedupe keys that the outbox does not know yet. */
    async untold(trx: Trx, onces: readonly string[]): Promise<Set<string>> {
      if (onces.length === 0) return new Set();
      const rows = await trx.selectFrom('outbox').select('once').where('once', 'in', onces).execute();
      return new Set(onces).difference(new Set(rows.map(({ once }) => once)));
    },

    /** Marks a dedupe key as told by a mail with another key. */
    noteTold: (trx: Trx, topic: MailTopic, once: string): Promise<boolean> => write(trx, topic, { once, told: true }),

    /** Writes the mail about a deletion with its data, in the transaction that deletes them; it is sent once the deletion is proved. */
    async announceDeletion(trx: Trx, eventId: string): Promise<void> {
      const event = await trx
        .selectFrom('events')
        .innerJoin('host_contacts', 'host_contacts.event_id', 'events.id')
        .select(['events.id as eventId', 'email', 'name', 'title', 'code', 'start_date', 'end_date', 'announced_count'])
        .where('events.id', '=', eventId)
        .where('demo', '=', 0)
        .executeTakeFirst();
      if (event) await write(trx, 'deleted', { once: `deleted:${eventId}`, payload: event satisfies DeletedEvent });
    },

    unsubscribe: letters.unsubscribe,

    /** Sends a test mail and returns the server's own answer. */
    async test(to: string): Promise<{ accepted: boolean; answer: string }> {
      const way = await servers.inForce();
      if (!way) return { accepted: false, answer: NO_SERVER };
      const worn = await look(way.origin);
      const text = {
        subject: `Testmail von ${worn.brand}`,
        body: 'Diese Mail hat ihr Ziel erreicht: Der Mailversand ist richtig eingestellt.',
      };
      const { what, answer } = await send(way, { address: to, name: '' }, renderMail(text, {}, worn, { unsubscribe: null, token: null }));
      return { accepted: what === 'delivered', answer };
    },

    /** Returns sample values of a mail: of the newest event, or made up if there is none. */
    async sample(topic: MailTopic): Promise<MailValues> {
      const origin = (await servers.inForce())?.origin ?? '';
      const events = db.kysely.selectFrom('events').leftJoin('host_contacts', 'host_contacts.event_id', 'events.id');
      const event = await events
        .select(['title', 'code', 'start_date', 'end_date', 'host_contacts.name'])
        .where('demo', '=', 0)
        .orderBy('created_at', 'desc')
        .executeTakeFirst();
      const example = event ?? {
        title: 'Lenas und Toms Hochzeit',
        code: 'FEST2345',
        start_date: '2027-06-12',
        end_date: '2027-06-13',
        name: null,
      };
      const made = {
        anzahl: '412 Fotos und 9 Videos',
        frist: '7 Tage',
        zeit: '12. Juni 2027 um 21:04 Uhr',
        bis: '26. Juni 2027 um 14:30 Uhr',
        geloescht: '14. Juli 2027 um 03:12 Uhr',
      };
      const links = {
        link: `${origin}/…`,
        karten: `${origin}/manage/${example.code}/karten`,
        uebersicht: `${origin}/manage/${example.code}`,
      };
      const operator = {
        wo: 'Festplatte des Servers',
        frei: '8,2 GB',
        grund: 'Auf dem Ziel ist kein Platz mehr.',
        wessen: example.code,
        woche: 'In dieser Woche beginnen 3 Events.',
        viele: '3 Events',
        events: `„${example.title}“ (${example.code}) und zwei weitere.`,
      };
      const bericht = `Das Löschprotokoll, signiert und nachprüfbar: ${origin}/loeschprotokoll/${example.code}#…`;
      const values = {
        ...made,
        ...links,
        ...operator,
        bericht,
        marke: business().business.identity.brand,
        ...eventValues({ ...example, name: example.name ?? 'Lena und Tom' }),
      };
      return templateOf(topic).to === 'host' ? values : { ...values, link: `${origin}/admin` };
    },
  };
}
