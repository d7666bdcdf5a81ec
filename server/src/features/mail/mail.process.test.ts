import { DAY, GB, INVITATION_KEPT, MINUTE } from '@feierbild/contract/constants.ts';
import sharp from 'sharp';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupCommands } from '../../cli/backup.ts';
import { enginesForRules } from '../../database/testing.ts';
import { dump } from '../accounts/testing.ts';
import { noteBackup } from '../backup/backup.ts';
import { createProof } from '../proofs/proofs.ts';
import { drawPhoto, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { createDueMail } from './due.ts';
import { openMailbox, type Arrived, type Mailbox } from './testing/mailbox.ts';

const ADMIN = { username: 'frieda', password: 'ein langes Passwort' };
const HOST = { email: 'lena@example.org', name: 'Lena & Tom' };
const TYPO = { ...HOST, email: 'lema@example.org' };
const FEAST = { title: 'Lenas Fest', start_date: '2026-05-16', end_date: '2026-05-17' };
/** A Saturday morning, ten days before the feast. */
const START = Date.parse('2026-05-06T08:00:00Z');
const PASSWORD = 'vier bunte Lampions im Garten';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('mail on $name', (engine) => {
  const clock = { time: START, now: () => clock.time };
  let mailbox: Mailbox;
  let app: TestApp;
  let cookie: string;

  beforeEach(async () => {
    clock.time = START;
    mailbox = await openMailbox();
    app = await openApp({ db: await engine.open(), decoder, clock, env: envFor(mailbox) });
    await app.admins.ensureFirst(ADMIN.username, ADMIN.password);
    cookie = cookieOf(await ask('POST', '/auth/admin/login', ADMIN));
  });
  afterEach(async () => {
    await app.close();
    await mailbox.close();
  });
  afterAll(() => engine.dispose());

  function ask(method: string, path: string, body?: object, headers: Record<string, string> = { cookie }): Promise<Response> {
    return fetch(app.url + path, {
      method,
      headers: { 'sec-fetch-site': 'same-origin', ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
  const created = async (form: object = {}): Promise<{ id: string; code: string; invitation: { link: string; mailed: boolean } }> =>
    (await ask('POST', '/admin/create_event', { ...FEAST, host: HOST, ...form })).json();
  /** What has come by now, the oldest first; forgotten afterwards. */
  async function arrived(): Promise<Arrived[]> {
    await app.outbox.run();
    return mailbox.arrived.splice(0);
  }
  /** The subjects of what the hours of a day bring. */
  async function subjectsOn(day: string): Promise<(string | undefined)[]> {
    for (const hour of ['06', '10', '15']) {
      clock.time = Date.parse(`${day}T${hour}:00:00Z`);
      await app.dueMail.write();
    }
    return (await arrived()).map(({ subject }) => subject).sort();
  }
  const linkIn = ({ text = '' }: Arrived): { code: string; token: string } => {
    const [, code = '', token = ''] = /\/einladung\/(\w+)#(\S+)/.exec(text) ?? [];
    return { code, token };
  };
  const look = async (link: object): Promise<number> => (await ask('POST', '/auth/invitation', link, {})).status;
  const accept = (link: object, password = PASSWORD) => ask('POST', '/auth/invitation/accept', { ...link, password }, {});

  describe('the invitation', () => {
    it('has one state in list, today and status: waits, is refused for good, arrives after it was sent anew, is accepted', async () => {
      const json = async <T>(path: string): Promise<T> => (await ask('GET', path)).json() as Promise<T>;
      /** As the list, the page of today and the status say it. */
      async function said() {
        const { events } = await json<{ events: { invitation_state: object | null }[] }>('/admin/events');
        const { absent } = await json<{ absent: { invitation_state: object | null }[] }>('/admin/today');
        const { undelivered } = await json<{ undelivered: object }>('/admin/status');
        return { list: events[0]?.invitation_state, today: absent[0]?.invitation_state, undelivered };
      }
      const fine = { invitations: [], mails: 0, webhooks: 0 };
      const { id, code } = await created();
      const waiting = { state: 'waiting', answer: null };
      expect(await said()).toEqual({ list: waiting, today: waiting, undelivered: fine });
      mailbox.answer = { code: 451, text: '4.7.1 Greylisting' };
      await arrived();
      expect((await said()).list).toEqual({ state: 'waiting', answer: '451 4.7.1 Greylisting' });
      mailbox.answer = { code: 550, text: '5.1.1 unbekannt' };
      clock.time += MINUTE;
      await arrived();
      const refused = { state: 'undelivered', answer: '550 5.1.1 unbekannt' };
      const invitations = [{ id, code, title: FEAST.title, answer: refused.answer }];
      expect(await said()).toEqual({ list: refused, today: refused, undelivered: { ...fine, invitations } });
      mailbox.answer = null;
      await ask('POST', `/admin/events/${id}/invitation`);
      const [mail] = await arrived();
      expect(await said()).toMatchObject({ list: { state: 'delivered' }, today: { state: 'delivered' }, undelivered: fine });
      await accept(linkIn(mail as Arrived));
      expect(await said()).toMatchObject({ list: { state: 'accepted', answer: null }, today: undefined, undelivered: fine });
      // Other mail that nobody took is told until somebody settles it.
      await app.db.transaction((trx) => app.mail.toHost(trx, 'first_photos', id));
      mailbox.answer = { code: 550, text: '5.1.1 unbekannt' };
      await arrived();
      expect((await said()).undelivered).toEqual({ ...fine, mails: 1 });
      const { deliveries } = await json<{ deliveries: { id: string; state: string }[] }>('/admin/outbox?open=1');
      expect((await ask('DELETE', `/admin/outbox/${deliveries[0]?.id}`)).status).toBe(204);
      expect((await said()).undelivered).toEqual(fine);
      expect((await ask('DELETE', `/admin/outbox/${deliveries[0]?.id}`)).status).toBe(404);
    });

    it('lets the host set the password once, and never holds one', async () => {
      const { id, code, invitation } = await created();
      const [mail, ...others] = await arrived();
      expect(others).toEqual([]);
      expect(mail).toMatchObject({
        subject: 'Ihr Zugang zu „Lenas Fest“',
        from: { name: 'Zeltverleih Süd', address: 'feier@zelt.example' },
        to: [{ name: HOST.name, address: HOST.email }],
      });
      const link = linkIn(mail as Arrived);
      expect(invitation).toMatchObject({ link: expect.stringContaining(link.token), mailed: true });
      // A gateway may cut off what is behind `#`.
      for (const read of [mail?.text, mail?.html]) expect(read).toContain(`nimmt seine Seite auch diesen Code: ${link.token}`);
      expect(await dump(app.db)).not.toContain(link.token);
      const looked = await ask('POST', '/auth/invitation', link, {});
      expect(await looked.json()).toMatchObject({ code, title: FEAST.title });
      for (const short of ['', 'kurz', '- - - - - - - - - - - -']) expect((await accept(link, short)).status).toBe(400);
      const entered = await accept(link);
      expect(entered.status).toBe(200);
      const host = cookieOf(entered);
      expect((await ask('GET', `/api/events/${code}`, undefined, { cookie: host })).status).toBe(200);
      for (const again of [await accept(link), await ask('POST', '/auth/invitation', link, {})])
        expect([again.status, await again.json()]).toMatchObject([410, { code: 'invitation_invalid' }]);
      expect((await ask('POST', '/auth/user/login', { username: code, password: PASSWORD.toUpperCase() }, {})).status).toBe(200);
      expect((await app.db.kysely.selectFrom('hosts').selectAll().execute())[0]).toMatchObject({
        event_id: id,
        first_login_at: START,
        reset_at: null,
      });
      expect((await app.audit.newest(code, undefined, 9)).map(({ action }) => action)).toEqual([
        'host.login',
        'host.accepted',
        'host.invited',
        'event.created',
      ]);
    });

    it('is dead once there is a newer one, the password was set another way, or 14 days are over', async () => {
      const { id, code } = await created();
      const first = linkIn((await arrived())[0] as Arrived);
      const renewed = await ask('POST', `/admin/events/${id}/invitation`);
      expect(await renewed.json()).toMatchObject({ mailed: true });
      const second = linkIn((await arrived())[0] as Arrived);
      expect([await look(first), (await accept(first)).status, await look(second)]).toEqual([410, 410, 200]);
      clock.time += INVITATION_KEPT - MINUTE;
      expect(await look(second)).toBe(200);
      clock.time += MINUTE;
      expect([await look(second), (await accept(second)).status]).toEqual([410, 410]);
      await app.grants.endExpired();
      expect(await app.db.kysely.selectFrom('invitations').selectAll().execute()).toEqual([]);
      cookie = cookieOf(await ask('POST', '/auth/admin/login', ADMIN));
      await ask('POST', `/admin/events/${id}/invitation`);
      const third = linkIn((await arrived())[0] as Arrived);
      await ask('POST', `/admin/events/${id}/user`, { username: code });
      expect(await look(third)).toBe(410);
    });

    it('is used by one of two at the same moment, and ends what an earlier password had opened', async () => {
      const { id, code } = await created();
      const earlier = (await (await ask('POST', `/admin/events/${id}/user`, { username: code })).json()) as { password: string };
      const old = cookieOf(await ask('POST', '/auth/user/login', { username: code, password: earlier.password }, {}));
      await arrived();
      await ask('POST', `/admin/events/${id}/invitation`);
      const link = linkIn((await arrived())[0] as Arrived);
      const answers = await Promise.all([accept(link), accept(link, 'ein ganz anderes Passwort')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 410]);
      expect((await ask('GET', `/api/events/${code}`, undefined, { cookie: old })).status).toBe(401);
      expect((await ask('POST', '/auth/user/login', { username: code, password: earlier.password }, {})).status).toBe(401);
      const host = cookieOf(answers.find(({ status }) => status === 200) as Response);
      const seen = (await (await ask('GET', `/api/events/${code}`, undefined, { cookie: host })).json()) as { password_reset_at: string };
      expect(seen.password_reset_at).toBe(new Date(clock.time).toISOString());
    });

    it('opens nothing by a guessed, foreign or changed link', async () => {
      await created();
      const link = linkIn((await arrived())[0] as Arrived);
      const other = await created();
      const foreign = { code: other.code, token: link.token };
      const flipped = { ...link, token: (link.token.startsWith('A') ? 'B' : 'A') + link.token.slice(1) };
      for (const wrong of [foreign, flipped, { ...link, token: '' }, { code: 'AAAAAAAA', token: link.token }])
        expect(await look(wrong)).toBe(410);
      expect(await look(link)).toBe(200);
    });

    it('of an event without mail is a link to pass on', async () => {
      const { id } = await created({ host: null });
      const made = (await (await ask('POST', `/admin/events/${id}/invitation`)).json()) as { link: string; mailed: boolean };
      expect(made).toMatchObject({ mailed: false, link: expect.stringMatching(/^http:\/\/fotos\.example\/einladung\//) });
      expect(await arrived()).toEqual([]);
    });

    it('of a program goes to the host alone, once, and to another address only until it was used or photos are there', async () => {
      const made = await ask('POST', '/admin/tokens', { name: 'Buchung', scopes: ['events:write'] });
      const bearer = { authorization: `Bearer ${((await made.json()) as { token: string }).token}` };
      const create = () => ask('POST', '/admin/create_event', { ...FEAST, host: TYPO }, { ...bearer, 'idempotency-key': 'b-1' });
      const first = await create();
      const { id, code, invitation } = (await first.json()) as { id: string; code: string; invitation: object };
      expect([first.status, invitation]).toEqual([201, { expires_at: expect.any(String), mailed: true }]);
      expect(await (await create()).json()).toMatchObject({ id, host: TYPO });
      const change = (host: object) => ask('PUT', `/admin/events/${id}`, { ...FEAST, host, is_active: true }, bearer);
      expect((await change(HOST)).status).toBe(200);
      const [mail, ...others] = await arrived();
      expect([mail?.to, others]).toEqual([[{ name: HOST.name, address: HOST.email }], []]);

      clock.time = Date.parse('2026-05-16T18:00:00Z');
      const { photo } = await app.upload(code, await drawPhoto());
      const refused = await change(TYPO);
      expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'token_change', fields: { host: expect.any(String) } }]);
      const entered = await accept(linkIn(mail as Arrived));
      expect((await ask('DELETE', `/api/photos/${photo.id}`, undefined, { cookie: cookieOf(entered) })).status).toBe(204);
      expect((await change(TYPO)).status).toBe(403);
      expect((await ask('POST', `/admin/events/${id}/invitation`, undefined, bearer)).status).toBe(403);
      expect(await app.db.kysely.selectFrom('host_contacts').select('email').execute()).toEqual([{ email: HOST.email }]);
    });

    it('ends where its mail has reached, or is reaching, an address that is put right; the list knows of none then', async () => {
      const { id } = await created({ host: TYPO });
      const put = async (host: object | null, form: object = {}) => {
        const changed = await ask('PUT', `/admin/events/${id}`, { ...FEAST, host, is_active: true, ...form });
        expect(changed.status).toBe(200);
        return ((await changed.json()) as { invitation_state: object | null }).invitation_state;
      };
      const invite = () => ask('POST', `/admin/events/${id}/invitation`);
      const astray = linkIn((await arrived())[0] as Arrived);
      expect(await put({ ...TYPO, name: 'Lena' })).toMatchObject({ state: 'delivered' });
      expect(await look(astray)).toBe(200);
      expect(await put(HOST)).toBeNull();
      expect([await look(astray), (await accept(astray)).status]).toEqual([410, 410]);

      await invite();
      expect(await put(TYPO)).toMatchObject({ state: 'waiting' });
      const [followed] = await arrived();
      expect(followed?.to).toMatchObject([{ address: TYPO.email }]);
      // Without an address it stays no less with the stranger.
      expect(await put(null)).toBeNull();
      expect(await look(linkIn(followed as Arrived))).toBe(410);

      clock.time += MINUTE;
      const made = (await (await invite()).json()) as { link: string; mailed: boolean };
      const passedOn = linkIn({ text: made.link } as Arrived);
      expect(await put(TYPO)).toMatchObject({ state: 'open' });
      expect(await look(passedOn)).toBe(200);

      await invite();
      mailbox.accepting = async () => expect(await put(HOST)).toBeNull();
      const [late] = await arrived();
      expect(late?.to).toMatchObject([{ address: TYPO.email }]);
      expect(await look(linkIn(late as Arrived))).toBe(410);
    });

    it('that a restart has lost is not sent, says so, and can be made anew', async () => {
      const { id } = await created();
      const other = await openApp({ db: app.db, decoder, clock, env: envFor(mailbox) });
      // The first process ends; nobody waits until the mail is due again.
      await app.outbox.ended();
      await other.outbox.run();
      expect(mailbox.arrived).toEqual([]);
      const { deliveries } = (await (await ask('GET', '/admin/outbox?open=1')).json()) as { deliveries: object[] };
      expect(deliveries).toMatchObject([{ topic: 'invitation', state: 'failed', repeatable: false, event_code: expect.any(String) }]);
      await ask('POST', `/admin/events/${id}/invitation`);
      expect(await arrived()).toHaveLength(1);
      await other.close();
    });
  });

  it('comes when it is due, once, and not where it is needless', async () => {
    const { id, code } = await created();
    await accept(linkIn((await arrived())[0] as Arrived));
    const photo = async () => app.upload(code, await drawPhoto());
    expect(await subjectsOn('2026-05-12')).toEqual([]);
    expect(await subjectsOn('2026-05-13')).toEqual(['Ihr Event beginnt am 16. Mai 2026']);
    expect(await subjectsOn('2026-05-14')).toEqual([]);
    clock.time = Date.parse('2026-05-16T18:00:00Z');
    expect((await photo()).status).toBe(201);
    expect(await subjectsOn('2026-05-17')).toEqual(['Die ersten Fotos von „Lenas Fest“ sind da']);
    expect(await subjectsOn('2026-06-08')).not.toContain('Noch sieben Tage: „Lenas Fest“ wird gelöscht');
    expect(await subjectsOn('2026-06-09')).toEqual(['Noch sieben Tage: „Lenas Fest“ wird gelöscht']);
    expect(await subjectsOn('2026-06-14')).toEqual([]);
    expect(await subjectsOn('2026-06-15')).toContain('Letzte Gelegenheit: „Lenas Fest“ wird am 16. Juni 2026 gelöscht');
    // Another one, whose host has the ZIP already.
    const saved = await app.event({ ...FEAST, zip_downloaded_at: START, photo_count: 3 });
    await app.db.kysely
      .insertInto('host_contacts')
      .values({ event_id: saved.id, ...HOST, muted: '' })
      .execute();
    expect(await subjectsOn('2026-06-16')).toEqual([]);
    expect((await app.row(id)).purging_at).toBeNull();
  });

  it('warns again of photos that came since the ZIP was downloaded, until they are in one, too', async () => {
    const event = await app.event(FEAST);
    await app.db.kysely
      .insertInto('host_contacts')
      .values({ event_id: event.id, ...HOST, muted: '' })
      .execute();
    const host = { cookie: event.cookie };
    const json = async (path: string) => (await (await ask('GET', path, undefined, host)).json()) as object;
    async function download(): Promise<void> {
      await ask('POST', `/api/events/${event.code}/create-zip`, undefined, host);
      await expect.poll(() => json(`/api/events/${event.code}/zip-progress`)).toMatchObject({ status: 'complete' });
      await (await ask('GET', `/api/events/${event.code}/download`, undefined, host)).arrayBuffer();
      await expect.poll(() => json(`/api/events/${event.code}`)).toMatchObject({ zip_downloaded_at: expect.any(String) as string });
    }
    const warned = async () => {
      cookie = cookieOf(await ask('POST', '/auth/admin/login', ADMIN));
      const [admin, today] = await Promise.all([ask('GET', '/admin/events?zip=missing'), ask('GET', '/admin/today')]);
      const { events } = (await admin.json()) as { events: { id: string }[] };
      const { due } = (await today.json()) as { due: { unsaved: boolean }[] };
      return [
        ((await json(`/api/events/${event.code}`)) as { unsaved: boolean }).unsaved,
        events.length > 0,
        due.map(({ unsaved }) => unsaved),
      ];
    };
    const photo = async () => app.upload(event.code, await drawPhoto());
    clock.time = Date.parse('2026-05-16T18:00:00Z');
    await photo();
    await download();
    await expect.poll(async () => (await arrived()).map(({ subject }) => subject)).toEqual(['Das ZIP von „Lenas Fest“ ist fertig']);
    expect(await subjectsOn('2026-06-09')).toEqual([]);
    expect(await warned()).toEqual([false, false, [false]]);
    expect((await photo()).status).toBe(201);
    // The earlier ZIP, once more, does not have it.
    await (await ask('GET', `/api/events/${event.code}/download`, undefined, host)).arrayBuffer();
    expect(await warned()).toEqual([true, true, [true]]);
    expect(await subjectsOn('2026-06-10')).toEqual(['Noch sieben Tage: „Lenas Fest“ wird gelöscht']);
    await download();
    await expect.poll(warned).toEqual([false, false, [false]]);
    expect(await subjectsOn('2026-06-16')).toEqual([]);
  });

  it('waits for no ZIP that was downloaded since it was written', async () => {
    const event = await app.event({ ...FEAST, photo_count: 3 });
    await app.db.kysely
      .insertInto('host_contacts')
      .values({ event_id: event.id, ...HOST, muted: '' })
      .execute();
    clock.time = Date.parse('2026-06-09T10:00:00Z');
    await app.dueMail.write();
    await app.db.kysely.updateTable('events').set({ zip_downloaded_at: clock.time }).where('id', '=', event.id).execute();
    expect(await arrived()).toEqual([]);
  });

  it('proves a deletion when it is signed, and then the address is nowhere any more', async () => {
    const { id, code } = await created();
    await arrived();
    expect((await ask('DELETE', `/admin/events/${id}`)).status).toBe(200);
    expect(await arrived()).toEqual([]);
    await app.retention.run(undefined, { thorough: true });
    clock.time += 5 * MINUTE;
    const [mail] = await arrived();
    expect(mail).toMatchObject({ subject: 'Die Fotos von „Lenas Fest“ sind gelöscht', to: [{ address: HOST.email }] });
    const token = new RegExp(`http://fotos\\.example/loeschprotokoll/${code}#(\\S{22})\\s`).exec(mail?.text ?? '')?.[1];
    expect(mail?.text).toContain(`nimmt seine Seite auch diesen Code: ${token}`);
    const held = await dump(app.db);
    expect([held.includes(HOST.email), held.includes(HOST.name)]).toEqual([false, false]);
  });

  it('says of a receipt that nobody took that it failed, also when its address is gone, 14 days later', async () => {
    const { id } = await created();
    await arrived();
    await ask('DELETE', `/admin/events/${id}`);
    await app.retention.run(undefined, { thorough: true });
    mailbox.answer = { code: 550, text: `5.1.1 <${HOST.email}> unbekannt` };
    clock.time += 15 * DAY;
    expect(await arrived()).toEqual([]);
    const held = async () => {
      await app.outbox.forget();
      const [text, failed] = [await dump(app.db), await app.outbox.failed('invitation')];
      return { address: text.includes(HOST.email), failed };
    };
    clock.time += 14 * DAY - MINUTE;
    expect(await held()).toEqual({ address: true, failed: [{ kind: 'mail', count: 1 }] });
    clock.time += MINUTE;
    expect(await held()).toEqual({ address: false, failed: [{ kind: 'mail', count: 1 }] });
  });

  it('ends a kind by its link, also by one click of a mail program, and begins it again', async () => {
    const { id } = await created();
    await arrived();
    clock.time = Date.parse('2026-05-13T10:00:00Z');
    await app.dueMail.write();
    const [mail] = await arrived();
    const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const path = /^<http:\/\/fotos\.example(\/abmelden\/.+)>$/.exec(header('list-unsubscribe') ?? '')?.[1] ?? '';
    expect(mail?.text).toContain(path);
    const click = await fetch(app.url + path, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    expect([click.status, await click.json()]).toEqual([200, { kind: 'Erinnerung an den Beginn', on: false }]);
    expect((await ask('POST', path.replace('begins', 'deletion'), undefined, {})).status).toBe(404);
    expect((await ask('POST', path.slice(0, -1), undefined, {})).status).toBe(404);
    await app.db.transaction((trx) => app.mail.toHost(trx, 'begins', id, { once: 'again' }));
    expect(await arrived()).toEqual([]);
    expect(await (await ask('POST', path, { on: true }, {})).json()).toMatchObject({ on: true });
    await app.db.transaction((trx) => app.mail.toHost(trx, 'begins', id, { once: 'and again' }));
    expect(await arrived()).toHaveLength(1);
    // An invitation cannot be done without.
    cookie = cookieOf(await ask('POST', '/auth/admin/login', ADMIN));
    await ask('POST', `/admin/events/${id}/invitation`);
    expect((await arrived())[0]?.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
  });

  it('ends a kind for the address that asked for it, and for none that takes its place', async () => {
    const { id } = await created({ host: TYPO });
    await arrived();
    const change = (host: object) => ask('PUT', `/admin/events/${id}`, { ...FEAST, host, is_active: true });
    const written = async (topic: 'begins' | 'zip_ready', once: string) => {
      await app.db.transaction((trx) => app.mail.toHost(trx, topic, id, { once }));
      return arrived();
    };
    const endOf = ({ text = '' }: Arrived): string => /\/abmelden\/\S+/.exec(text)?.[0] ?? '';
    const [first] = await written('begins', 'one');
    const astray = endOf(first as Arrived);
    const end = async (path: string) => (await ask('POST', path, undefined, {})).status;
    expect(await end(astray)).toBe(200);
    await change({ ...TYPO, name: 'Lena' });
    expect(await written('begins', 'two')).toEqual([]);
    await change(HOST);
    const [second] = await written('begins', 'three');
    expect(second?.to).toMatchObject([{ address: HOST.email }]);
    expect(await end(astray)).toBe(404);
    expect(await written('begins', 'four')).toHaveLength(1);
    expect(await end(endOf(second as Arrived))).toBe(200);
    expect(await written('begins', 'five')).toEqual([]);
    // Mails of 0.5.0 named no address.
    const old = (await createProof(app.db)('unsubscribe', id, 'zip_ready')).slice(0, 22);
    expect(await end(`/abmelden/${id}.zip_ready.${old}`)).toBe(200);
    expect(await written('zip_ready', 'six')).toEqual([]);
  });

  it('tells the operator what needs attention, and nothing that strangers wrote', async () => {
    await created();
    await arrived();
    await app.reports.add(
      { event: 'Fest', photo: 'das am Buffet', reason: 'Klick http://boese.example', name: 'Gast Gerda', email: '' },
      '192.0.2.1',
    );
    const [report] = await arrived();
    expect(report).toMatchObject({ subject: 'Ein Foto wurde gemeldet', to: [{ address: 'feier@zelt.example' }] });
    expect(report?.raw).not.toMatch(/Gerda|Buffet|boese/);
    expect(report?.text).toContain('http://fotos.example/admin/meldungen');
    await noteBackup(app.db, { at: Date.parse('2026-05-13T02:00:00Z'), folder: '/backup' });
    await app.event({ ...FEAST, title: 'Voll', storage_limit: GB, used_bytes: 0.95 * GB });
    expect(await subjectsOn('2026-05-14')).toEqual(
      [
        'Die letzte Sicherung ist älter als ein Tag',
        'Der Speicher wird knapp: „Voll“ (' +
          (await app.db.kysely.selectFrom('events').select('code').where('title', '=', 'Voll').executeTakeFirstOrThrow()).code +
          ')',
        'Ihr Event beginnt am 16. Mai 2026',
        'Noch keine Anmeldung: 2 Events beginnen bald',
      ].sort(),
    );
    clock.time = Date.parse('2026-05-18T08:00:00Z');
    await app.dueMail.write();
    const weekly = (await arrived()).find(({ subject }) => subject?.startsWith('Ihre Woche'));
    expect(weekly?.text).toContain('In den nächsten sieben Tagen beginnt kein Event.');
    await app.keyAlarm.raise({ admin: 'frieda' });
    expect((await arrived()).map(({ subject }) => subject)).toEqual(['Alarm: In der Datenbank wurden Schlüssel verändert']);
  });

  it('wears the operator’s logo and colour, which come with it: nothing is loaded from anywhere', async () => {
    const form = new FormData();
    const drawn = sharp({ create: { width: 900, height: 100, channels: 4, background: '#24437e' } });
    form.append('file', new File([new Uint8Array(await drawn.png().toBuffer())], 'logo.png', { type: 'image/png' }));
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const logo = await (await fetch(`${app.url}/admin/logo`, { method: 'POST', headers, body: form })).json();
    expect((await ask('PUT', '/admin/settings/brand', { version: 0, value: { accent: '#24437e', logo } })).status).toBe(200);
    await created();
    const [mail] = await arrived();
    const { brand } = app.config.business.identity;
    expect(mail?.html).toContain('background:#24437e');
    const [image, ...others] = mail?.html?.match(/<img[^>]*>/g) ?? [];
    expect(others).toEqual([]);
    expect(image).toMatch(new RegExp(`src="cid:logo@feierbild" width="176" height="19" alt="${brand}"`));
    expect(mail?.html).not.toMatch(/url\(|<link|<script|src="(?!cid:)/);
    const [brought, ...more] = mail?.attachments ?? [];
    expect([brought?.disposition, brought?.contentId, more]).toEqual(['inline', '<logo@feierbild>', []]);
    expect(await sharp(brought?.content as ArrayBuffer).metadata()).toMatchObject({ width: 480, height: 53 });
  });

  it('says once that the ZIP is ready, also where it is made again', async () => {
    const { code } = await created();
    const host = { cookie: cookieOf(await accept(linkIn((await arrived())[0] as Arrived))) };
    clock.time = Date.parse('2026-05-16T18:00:00Z');
    expect((await app.upload(code, await drawPhoto())).status).toBe(201);
    for (const how of ['create-zip', 'regenerate-zip']) {
      expect((await ask('POST', `/api/events/${code}/${how}`, undefined, host)).status).toBe(202);
      const progress = async () => (await ask('GET', `/api/events/${code}/zip-progress`, undefined, host)).json();
      await expect.poll(progress).toMatchObject({ status: 'complete' });
    }
    await expect.poll(async () => (await app.outbox.list({ limit: 9 })).some(({ topic }) => topic === 'zip_ready')).toBe(true);
    const mails = await arrived();
    expect(mails.map(({ subject }) => subject)).toEqual(['Das ZIP von „Lenas Fest“ ist fertig']);
    expect(mails[0]?.text).toContain('das ZIP mit 1 Foto von');
  });

  it('warns of photos that are deleted in time, proves that they are, and forgets the address', async () => {
    const { code } = await created();
    await arrived();
    clock.time = Date.parse('2026-05-16T18:00:00Z');
    expect((await app.upload(code, await drawPhoto())).status).toBe(201);
    clock.time = Date.parse('2026-06-16T23:30:00Z');
    await app.retention.run(undefined, { thorough: true });
    clock.time += 5 * MINUTE;
    const [mail, ...others] = await arrived();
    expect([mail?.subject, mail?.to, others]).toEqual([
      'Die Fotos von „Lenas Fest“ sind gelöscht',
      [{ name: HOST.name, address: HOST.email }],
      [],
    ]);
    expect(mail?.text).toContain('gelöscht (1 Foto)');
    await app.retention.run(undefined, { thorough: true });
    expect(await arrived()).toEqual([]);
    const held = await dump(app.db);
    expect([held.includes(HOST.email), held.includes(HOST.name)]).toEqual([false, false]);
  });

  it('tells the operator once of a clock that leapt and of changed keys, however many nodes see it', async () => {
    const leaping = { up: 0, now: () => clock.time, monotonic: () => leaping.up };
    const nodes = await Promise.all([1, 2].map(() => openApp({ db: app.db, decoder, clock: leaping, env: envFor(mailbox) })));
    for (const { retention } of nodes) await retention.run();
    clock.time += 9 * DAY;
    for (const node of [...nodes, ...nodes]) {
      await node.retention.run();
      await node.keyAlarm.raise({ admin: 'frieda' });
      clock.time += 10 * MINUTE;
    }
    expect((await arrived()).map(({ subject }) => subject).sort()).toEqual([
      'Alarm: In der Datenbank wurden Schlüssel verändert',
      'Die Uhr des Servers ist gesprungen',
    ]);
    for (const node of nodes) await node.close();
  });

  it('tells the operator once a week that the disk is nearly full', async () => {
    const health = () => ({
      now: clock.now(),
      read: { ...app.health.facts().read, disk: async () => ({ free: 2 * GB, folder: '/daten' }) },
    });
    const due = createDueMail({ ...app, clock, health });
    const told = async (): Promise<(string | undefined)[]> => {
      await due.write();
      return (await arrived()).filter(({ subject }) => subject?.includes('Speicher')).map(({ text }) => text?.split('\n')[0]);
    };
    const words = 'Festplatte des Servers: noch 2 GB frei. Ist der Platz aufgebraucht, werden Fotos abgelehnt.';
    expect(await told()).toEqual([words]);
    clock.time += DAY;
    expect(await told()).toEqual([]);
    clock.time += 7 * DAY;
    expect(await told()).toEqual([words]);
  });

  it('tells the operator of a backup that fails', async () => {
    const backup = backupCommands.find(({ name }) => name === 'backup') as (typeof backupCommands)[number];
    const operator = { config: app.config, parts: async () => app, terminal: {} } as unknown as Parameters<typeof backup.run>[1];
    await expect(
      backup.run({ args: ['/proc/nirgends'], options: new Map() } as unknown as Parameters<typeof backup.run>[0], operator),
    ).rejects.toThrow();
    expect(await arrived()).toMatchObject([{ subject: 'Die Sicherung ist gescheitert', text: expect.stringContaining('gescheitert: ') }]);
  });

  it('keeps its lines and its readers with any titles and names', async () => {
    const hostile = 'Fest\r\nBcc: spion@boese.example\r\n\r\n<script>alert(1)</script> https://boese.example/gewinn';
    await created({ title: hostile, host: { email: HOST.email, name: 'Lena\r\nCc: spion@boese.example' } });
    const [mail] = await arrived();
    expect([mail?.envelope, mail?.cc, mail?.bcc]).toEqual([[HOST.email], undefined, undefined]);
    expect(mail?.headers.map(({ key }) => key).sort()).toEqual(
      ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    );
    expect(mail?.subject).toBe('Ihr Zugang zu „Fest Bcc: spion@boese.example <script>alert(1)</script> https://boese.example/gewinn“');
    expect(mail?.html).not.toMatch(/<script|<img|src=|url\(/i);
    // A title may come from a form that anybody fills in: only our own addresses become links.
    expect(mail?.html).toContain('https://boese.example/gewinn');
    const links = [...(mail?.html?.matchAll(/href="([^"]*)"/g) ?? [])].map(([, url]) => url);
    expect([links.length > 0, links.filter((url) => !url?.startsWith('http://fotos.example/'))]).toEqual([true, []]);
    expect(mail?.attachments).toEqual([]);
    for (const email of ['a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example', '<a@b.example>']) {
      expect((await ask('POST', '/admin/create_event', { ...FEAST, host: { email } })).status).toBe(400);
    }
  });

  it('is the same mail when it is sent again: a receiver knows it by its id', async () => {
    await app.reports.add({ event: 'Fest', photo: 'eins', reason: 'so', name: '', email: '' }, '192.0.2.1');
    mailbox.accepting = async () => {
      // The server has taken it; what came of it is not written down any more.
      await app.db.kysely.updateTable('outbox').set({ attempts: 9 }).execute();
    };
    const [first] = await arrived();
    mailbox.accepting = async () => undefined;
    await app.db.kysely.updateTable('outbox').set({ attempts: 1, held_until: 0 }).execute();
    const [second] = await arrived();
    expect(second?.messageId).toMatch(/^<[0-9a-f-]{36}@zelt\.example>$/);
    expect([second?.messageId, second?.date, second?.text]).toEqual([first?.messageId, first?.date, first?.text]);
    expect(await arrived()).toEqual([]);
  });

  it('comes after an outage of the mail server, by its retries', async () => {
    await created();
    mailbox.answer = { code: 451, text: '4.7.1 Greylisting, bitte später' };
    expect(await arrived()).toEqual([]);
    clock.time += MINUTE;
    mailbox.answer = null;
    expect(await arrived()).toHaveLength(1);
    mailbox.answer = { code: 550, text: '5.1.1 unbekannt' };
    await created();
    await arrived();
    const { deliveries } = (await (await ask('GET', '/admin/outbox?open=1&lane=mail')).json()) as { deliveries: object[] };
    expect(deliveries).toMatchObject([{ state: 'failed', answer: '550 5.1.1 unbekannt' }]);
  });

  it('says what the operator wrote, from whom the operator is, and refuses texts that cannot be filled in', async () => {
    const text = { subject: '{titel}: bitte Passwort setzen', body: 'Servus {anrede}!\n\n[Los]({link})\n\n{marke}' };
    const set = (texts: object, version: number) =>
      ask('PUT', '/admin/settings/mail', { version, value: { senderName: 'Die Fotobude', replyTo: 'team@zelt.example', texts } });
    for (const wrong of [
      { ...text, body: 'Ohne Weg' },
      { ...text, body: '{link} {gast}' },
      { ...text, subject: 'a\nb' },
    ]) {
      const { status, fields } = await set({ invitation: wrong }, 0).then(async (answer) => ({
        ...((await answer.json()) as { fields: object }),
        status: answer.status,
      }));
      expect([status, Object.keys(fields)]).toEqual([400, [expect.stringMatching(/^texts\.invitation\.(body|subject)$/)]]);
    }
    expect((await set({ invitation: text }, 0)).status).toBe(200);
    await created({ title: '{link} [x]({code})' });
    const [mail] = await arrived();
    expect(mail).toMatchObject({
      subject: '{link} [x]({code}): bitte Passwort setzen',
      from: { name: 'Die Fotobude' },
      replyTo: [{ address: 'team@zelt.example' }],
    });
    expect(mail?.text).toContain(`Servus Hallo ${HOST.name}!\n\nLos:\nhttp://fotos.example/einladung/`);
    const tried = await ask('POST', '/admin/mail/test', { to: 'chefin@zelt.example' });
    expect(await tried.json()).toEqual({ accepted: true, answer: '250 OK: angenommen' });
    expect((await arrived())[0]?.subject).toMatch(/^Testmail von /);
    expect(Object.keys(((await (await ask('GET', '/admin/mail')).json()) as { samples: object }).samples)).toContain('weekly');
  });

  it('holds no markup and no line of a header that an operator’s words may have', async () => {
    const body = '<img src=x onerror=alert(1)> {anrede}\n\n[<b>Los</b>]({link})\n\nMehr: https://zelt.example/a?b=1&c="2';
    const value = {
      senderName: 'Fotobude\r\nBcc: spion@boese.example',
      texts: { invitation: { subject: '{titel} <i>', body } },
    };
    const set = (changes: object) => ask('PUT', '/admin/settings/mail', { version: 0, value: { ...value, ...changes } });
    for (const replyTo of ['a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example'])
      expect((await set({ replyTo })).status).toBe(400);
    expect((await set({})).status).toBe(200);
    await created();
    const [mail] = await arrived();
    expect([mail?.envelope, mail?.bcc, mail?.from]).toEqual([
      [HOST.email],
      undefined,
      { name: 'Fotobude Bcc: spion@boese.example', address: 'feier@zelt.example' },
    ]);
    expect(mail?.subject).toBe('Lenas Fest <i>');
    expect(mail?.html).not.toMatch(/<(img|b|i)[ >]/);
    expect(mail?.html).toContain('&lt;b&gt;Los&lt;/b&gt;</a>');
    expect(mail?.html).toContain('<a class="link" href="https://zelt.example/a?b=1&amp;c=">https://zelt.example/a?b=1&amp;c=</a>&quot;2');
  });

  it('goes through the server that an operator set in the browser: its password is in no row and no backup, and goes to no other server', async () => {
    const login = { user: 'feier@zelt.example', pass: 'ein ganz geheimes Wort' };
    const provider = await openMailbox({ login });
    const plain = await openApp({ db: app.db, decoder, clock });
    const before = app.url;
    app.url = plain.url;
    const form = {
      host: '127.0.0.1',
      port: provider.port,
      user: login.user,
      sender: 'feier@zelt.example',
      origin: 'https://fotos.zelt.example/',
    };
    const set = (change: object = {}) => ask('PUT', '/admin/mail/server', { ...form, ...change });
    for (const wrong of [{ host: 'smtps://mail.example' }, { port: 0 }, { sender: 'feier' }, { origin: 'https://a.example/pfad' }])
      expect([wrong, (await set({ password: login.pass, ...wrong })).status]).toEqual([wrong, 400]);
    expect((await set()).status).toBe(400);
    expect((await set({ password: login.pass })).status).toBe(204);
    expect(await dump(app.db)).not.toContain(login.pass);
    expect(await (await ask('GET', '/admin/mail')).json()).toMatchObject({
      from: 'feier@zelt.example',
      fixed: false,
      server: { host: '127.0.0.1', has_password: true, origin: 'https://fotos.zelt.example' },
    });
    // Without the password the kept one stays, and for this server alone.
    expect((await set()).status).toBe(204);
    expect(await (await set({ port: mailbox.port })).json()).toMatchObject({ fields: { password: expect.any(String) } });
    expect(await (await ask('POST', '/admin/mail/test', { to: HOST.email })).json()).toMatchObject({ accepted: true });
    expect(await created()).toMatchObject({ invitation: { mailed: true } });
    await plain.outbox.run();
    expect(provider.arrived.at(-1)).toMatchObject({ from: { address: 'feier@zelt.example' } });
    expect(provider.arrived.at(-1)?.text).toContain('https://fotos.zelt.example/einladung/');
    // The environment goes first, and then nothing is set here.
    app.url = before;
    expect(await (await ask('GET', '/admin/mail')).json()).toMatchObject({ fixed: true });
    expect((await set({ password: login.pass })).status).toBe(400);
    app.url = plain.url;
    expect((await ask('DELETE', '/admin/mail/server')).status).toBe(204);
    expect(await (await ask('GET', '/admin/mail')).json()).toMatchObject({ from: null, server: null });
    app.url = before;
    await plain.close();
    await provider.close();
  });

  it('is not written where no server is configured, and everything else works', async () => {
    const without = await openApp({ db: app.db, decoder, clock });
    const before = app.url;
    app.url = without.url;
    const { id, invitation } = await created();
    expect(invitation).toMatchObject({ mailed: false, link: expect.stringContaining(`${without.url}/einladung/`) });
    expect(await (await ask('GET', '/admin/mail')).json()).toMatchObject({ from: null });
    expect(await (await ask('POST', '/admin/mail/test', { to: HOST.email })).json()).toEqual({
      accepted: false,
      answer: 'Es ist kein Mailserver eingerichtet.',
    });
    expect((await ask('DELETE', `/admin/events/${id}`)).status).toBe(200);
    expect(await app.db.kysely.selectFrom('outbox').selectAll().execute()).toEqual([]);
    app.url = before;
    await without.close();
  });
});

function envFor({ port }: Mailbox): Record<string, string> {
  return { PUBLIC_URL: 'http://fotos.example', SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Zeltverleih Süd <feier@zelt.example>' };
}

function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
}
