import { addDays, berlinDay, berlinTime, startOfBerlinDay } from '@feierbild/contract/berlin.ts';
import { BACKUP_LATE, DAY, PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { deletionDay } from '@feierbild/contract/event-status.ts';
import type { Trx } from '../../database/open.ts';
import { isUnsaved, SAVED_BY } from '../archive/archive.ts';
import type { Context } from '../context.ts';
import type { Facts } from '../health/facts.ts';
import { HEALTH } from '../health/health.ts';
import { countText, dayText, gigabytesText, instantText } from '../../lib/german.ts';
import { FIRST_PHOTOS_DAYS, WARNED_DAYS } from './letters.ts';
import type { Mail } from './mail.ts';

/** Days before the first day: when a host is reminded, and when the operator learns that a host has never logged in. */
const BEGINS_DAYS = 3;
const NO_LOGIN_DAYS = 2;
/** The share of an event's limit from which it is nearly full. */
const NEARLY_FULL = 0.9;
/** Hours in Berlin between which mail without urgency is sent. */
const [FIRST_HOUR, LAST_HOUR] = ['08', '20'];
const WEEK_DAYS = 7;
/** Most titles in the weekly mail, and in the mail about absent hosts. */
const TITLES = 10;
const ABSENT_NAMED = 50;

interface Deps extends Pick<Context, 'db' | 'clock'> {
  mail: Mail;
  health(): Pick<Facts, 'now' | 'read'>;
}

type State = Awaited<ReturnType<typeof stateOf>>;

/** Reads the state of the installation for mail to the operator. */
async function stateOf(facts: Pick<Facts, 'now' | 'read'>) {
  const { now, read } = facts;
  const disk = await HEALTH.disk.ask(facts);
  return { now, last: await read.lastBackup(), free: (await read.disk()).free, disk: disk.severity };
}

/** Says when the last backup was. The date of a clock that was ahead says nothing about the days since. */
function backupText(at: number, now: number): string {
  return instantText(at) + (at - now > BACKUP_LATE ? ' (das liegt in der Zukunft: die Uhr ging vor)' : '');
}

/** Creates the mail that is due at certain times; a check runs every hour, and each mail is written once. */
export function createDueMail({ db, clock, mail, health }: Deps) {
  /** Selects events that are neither the demo nor deleted. */
  const events = (trx: Trx) =>
    trx
      .selectFrom('events')
      .select(['events.id', 'title', 'code', 'start_date', 'end_date', ...SAVED_BY])
      .where('demo', '=', 0)
      .where('purging_at', 'is', null)
      .orderBy('start_date')
      .orderBy('events.id');
  const ofHosts = (trx: Trx) => events(trx).innerJoin('host_contacts', 'host_contacts.event_id', 'events.id');
  const hasPhotos = ({ photo_count, video_count }: { photo_count: number; video_count: number }): boolean => photo_count + video_count > 0;

  /** Tells whether a photo came on the first day or later; hosts and renters try the page, or the booth, before. */
  async function guestsHaveBegun(trx: Trx, { id, start_date }: { id: string; start_date: string }): Promise<boolean> {
    const since = startOfBerlinDay(start_date);
    const photo = trx.selectFrom('photos').select('id').where('event_id', '=', id).where('created_at', '>=', since).limit(1);
    return (await photo.executeTakeFirst()) !== undefined;
  }

  /** Selects events whose last day of photos is at most `days` away. */
  const endingBy = (trx: Trx, today: string, days: number) => {
    const until = addDays(today, days - PHOTOS_KEPT_DAYS);
    return events(trx).where('end_date', '<=', until).where('end_date', '>=', addDays(today, -PHOTOS_KEPT_DAYS));
  };

  async function toHosts(trx: Trx, today: string): Promise<void> {
    const begins = ofHosts(trx).where('start_date', '>=', today).where('start_date', '<=', addDays(today, BEGINS_DAYS));
    for (const { id, start_date } of await begins.execute()) await mail.toHost(trx, 'begins', id, { once: `begins:${id}:${start_date}` });
    const running = ofHosts(trx).where('start_date', '<=', today).where('end_date', '>=', addDays(today, -FIRST_PHOTOS_DAYS));
    for (const event of await running.execute())
      if (hasPhotos(event) && (await guestsHaveBegun(trx, event))) await mail.toHost(trx, 'first_photos', event.id);
    for (const topic of ['deletion_1', 'deletion_7'] as const) {
      const ending = endingBy(trx, today, WARNED_DAYS[topic]);
      for (const event of await ending.innerJoin('host_contacts', 'host_contacts.event_id', 'events.id').execute()) {
        const tooLate = topic === 'deletion_7' && deletionDay(event) <= addDays(today, WARNED_DAYS.deletion_1);
        if (isUnsaved(event) && !tooLate) await mail.toHost(trx, topic, event.id, { once: `${topic}:${event.id}:${event.end_date}` });
      }
    }
  }

  async function toOperator(trx: Trx, today: string, { now, ...found }: State): Promise<void> {
    const soon = events(trx).leftJoin('hosts', 'hosts.event_id', 'events.id').where('hosts.first_login_at', 'is', null);
    const absent = await soon.where('start_date', '>=', today).where('start_date', '<=', addDays(today, NO_LOGIN_DAYS)).execute();
    await tellOfAbsent(trx, absent);
    const full = events(trx).select(['storage_limit', 'used_bytes']).where('storage_limit', 'is not', null);
    for (const { id, title, code, storage_limit, used_bytes } of await full.execute()) {
      const limit = storage_limit ?? Infinity;
      if (used_bytes < NEARLY_FULL * limit) continue;
      const values = { wo: `„${title}“ (${code})`, frei: gigabytesText(Math.max(0, limit - used_bytes)) };
      await mail.toOperator('storage', values, { once: `full:${id}:${limit}`, trx });
    }
    const { last } = found;
    if (last && Math.abs(now - last.at) > BACKUP_LATE)
      await mail.toOperator('backup_old', { zeit: backupText(last.at, now) }, { once: `backup_old:${last.at}`, trx });
    const monday = addDays(today, -((new Date(`${today}T12:00:00Z`).getUTCDay() + 6) % WEEK_DAYS));
    if (found.disk !== 'good')
      await mail.toOperator('storage', { wo: 'Festplatte des Servers', frei: gigabytesText(found.free) }, { once: `disk:${monday}`, trx });
    if (today === monday) await mail.toOperator('weekly', { woche: await week(trx, today, now, last) }, { once: `weekly:${today}`, trx });
  }

  /** Writes one mail about all absent hosts, as a weekend may have many events; each event is told once. */
  async function tellOfAbsent(trx: Trx, absent: { id: string; title: string; code: string; start_date: string }[]): Promise<void> {
    const onceOf = ({ id, start_date }: (typeof absent)[number]): string => `no_login:${id}:${start_date}`;
    const untold = await mail.untold(trx, absent.map(onceOf));
    const [first, ...others] = absent.filter((event) => untold.has(onceOf(event)));
    if (!first) return;
    const once = onceOf(first);
    if (others.length === 0) {
      const { title: titel, code, start_date } = first;
      await mail.toOperator('no_login', { titel, code, beginn: dayText(start_date) }, { once, trx });
      return;
    }
    const named = [first, ...others]
      .slice(0, ABSENT_NAMED)
      .map(({ title, code, start_date }) => `„${title}“ (${code}), ${dayText(start_date)}`);
    const more = others.length + 1 - named.length;
    const events = named.join('\n') + (more > 0 ? `\nund ${more} weitere` : '');
    await mail.toOperator('no_logins', { viele: countText(others.length + 1, '1 Event', 'Events'), events }, { once, trx });
    for (const other of others) await mail.noteTold(trx, 'no_logins', onceOf(other));
  }

  /** Returns the text of the weekly mail to the operator. */
  async function week(trx: Trx, today: string, now: number, last: State['last']): Promise<string> {
    const until = addDays(today, WEEK_DAYS - 1);
    const beginning = await events(trx).where('start_date', '>=', today).where('start_date', '<=', until).execute();
    const ending = (await endingBy(trx, today, WEEK_DAYS - 1).execute()).filter(hasPhotos);
    const unsaved = ending.filter(isUnsaved);
    const failed = await trx
      .selectFrom('outbox')
      .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
      .where('state', '=', 'failed')
      .where('created_at', '>', now - WEEK_DAYS * DAY)
      .groupBy('kind')
      .execute();
    const undelivered = (of: string, one: string, many: string, where: string): string[] => {
      const count = Number(failed.find(({ kind }) => kind === of)?.count ?? 0);
      return count > 0 ? [`Nicht zugestellt: ${countText(count, one, many)}; warum, steht ${where}.`] : [];
    };
    const named = (list: typeof beginning, dayOf: (event: (typeof beginning)[number]) => string): string =>
      list
        .slice(0, TITLES)
        .map((event) => `„${event.title}“ (${dayText(dayOf(event))})`)
        .join(', ') + (list.length > TITLES ? ' und weitere' : '');
    const missing = countText(last?.missing ?? 0, '1 Datei', 'Dateien');
    const lacks = last?.missing ? `, ohne ${missing}, die der Fotospeicher nicht hergibt` : '';
    const lines = [
      beginning.length === 0
        ? 'In den nächsten sieben Tagen beginnt kein Event.'
        : `In den nächsten sieben Tagen: ${countText(beginning.length, '1 Event beginnt', 'Events beginnen')}: ${named(beginning, (event) => event.start_date)}.`,
      ending.length === 0
        ? 'Gelöscht wird in dieser Zeit nichts.'
        : `Gelöscht werden in dieser Zeit die Fotos von ${countText(ending.length, '1 Event', 'Events')}: ${named(ending, deletionDay)}.`,
      ...(unsaved.length > 0 ? [`Das ZIP noch nicht geladen: ${named(unsaved, deletionDay)}.`] : []),
      last === null ? 'Gesichert wurde noch nie.' : `Zuletzt gesichert wurde am ${backupText(last.at, now)}${lacks}.`,
      ...undelivered('mail', '1 Mail', 'Mails', 'in den Einstellungen unter „Mail“'),
      ...undelivered('webhook', '1 Nachricht an Ihre Webhooks', 'Nachrichten an Ihre Webhooks', 'unter „Verbindungen“'),
    ];
    return lines.join('\n\n');
  }

  return {
    /** Writes the mail that is due by now; only by day. */
    async write(): Promise<void> {
      const now = clock.now();
      const hour = berlinTime(now).slice(11, 13);
      if (hour < FIRST_HOUR || hour >= LAST_HOUR || !(await mail.isOn())) return;
      const today = berlinDay(now);
      await db.transaction((trx) => toHosts(trx, today));
      // Read before the transaction, which occupies SQLite's only connection.
      const state = await stateOf(health());
      await db.transaction((trx) => toOperator(trx, today, state));
    },
  };
}
