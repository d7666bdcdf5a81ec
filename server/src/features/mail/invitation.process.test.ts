import { INVITATION_KEPT, MINUTE } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { dump } from '../accounts/testing.ts';
import { drawPhoto, openApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import type { Arrived } from './testing/mailbox.ts';
import { cookieOf, envFor, FEAST, HOST, useMail, PASSWORD, START, TYPO } from './testing/mail-client.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('mail on $name', (engine) => {
  const { clock, server, logIn, ask, created, arrived, linkIn, look, accept } = useMail(engine, decoder);

  describe('the invitation', () => {
    it('has one state in list, today and status: waits, is refused for good, arrives after it was sent anew, is accepted', async () => {
      const json = async <T>(path: string): Promise<T> => (await ask('GET', path)).json() as Promise<T>;
      /** Returns the invitation's state in the list, on the page of today and in the status. */
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
      server.mailbox.answer = { code: 451, text: '4.7.1 Greylisting' };
      await arrived();
      expect((await said()).list).toEqual({ state: 'waiting', answer: '451 4.7.1 Greylisting' });
      server.mailbox.answer = { code: 550, text: '5.1.1 unbekannt' };
      clock.time += MINUTE;
      await arrived();
      const refused = { state: 'undelivered', answer: '550 5.1.1 unbekannt' };
      const invitations = [{ id, code, title: FEAST.title, answer: refused.answer }];
      expect(await said()).toEqual({ list: refused, today: refused, undelivered: { ...fine, invitations } });
      server.mailbox.answer = null;
      await ask('POST', `/admin/events/${id}/invitation`);
      const [mail] = await arrived();
      expect(await said()).toMatchObject({ list: { state: 'delivered' }, today: { state: 'delivered' }, undelivered: fine });
      await accept(linkIn(mail as Arrived));
      expect(await said()).toMatchObject({ list: { state: 'accepted', answer: null }, today: undefined, undelivered: fine });
      // Other undelivered mail is counted until somebody settles it.
      await server.app.db.transaction((trx) => server.app.mail.toHost(trx, 'begins', id));
      server.mailbox.answer = { code: 550, text: '5.1.1 unbekannt' };
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
      // A gateway may cut off the part after `#`.
      for (const read of [mail?.text, mail?.html]) expect(read).toContain(`nimmt seine Seite auch diesen Code: ${link.token}`);
      // Two weeks later to the minute, and not the end of that day.
      expect(mail?.text).toContain('gilt einmal und bis zum 20. Mai 2026 um 10:00 Uhr');
      expect(await dump(server.app.db)).not.toContain(link.token);
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
      expect((await server.app.db.kysely.selectFrom('hosts').selectAll().execute())[0]).toMatchObject({
        event_id: id,
        first_login_at: START,
        reset_at: null,
      });
      expect((await server.app.audit.newest(code, undefined, 9)).map(({ action }) => action)).toEqual([
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
      await server.app.grants.endExpired();
      expect(await server.app.db.kysely.selectFrom('invitations').selectAll().execute()).toEqual([]);
      await logIn();
      await ask('POST', `/admin/events/${id}/invitation`);
      const third = linkIn((await arrived())[0] as Arrived);
      await ask('POST', `/admin/events/${id}/user`, { username: code });
      expect(await look(third)).toBe(410);
    });

    it('ends none that the page knew nothing of, and says so', async () => {
      const { id } = await created();
      const first = linkIn((await arrived())[0] as Arrived);
      const shown = async () =>
        ((await (await ask('GET', '/admin/events')).json()) as { events: AdminEvent[] }).events[0]?.invited_until as string;
      const invite = async (was: string | null) => {
        const answer = await ask('POST', `/admin/events/${id}/invitation`, { was });
        return answer.status === 201 ? 201 : [answer.status, ((await answer.json()) as { code: string }).code];
      };
      const refused = [409, 'event_changed'];
      expect(await invite(null)).toEqual(refused);
      const was = await shown();
      clock.time += MINUTE;
      expect([await look(first), await invite(was)]).toEqual([200, 201]);
      const second = linkIn((await arrived())[0] as Arrived);
      expect([await invite(was), await look(second)]).toEqual([refused, 200]);
      // An invitation that has expired or was used is not ended by a new one, so `was` is no conflict.
      await accept(second);
      expect(await invite(was)).toBe(201);
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
      const seen = (await (await ask('GET', `/api/events/${code}`, undefined, { cookie: host })).json()) as { password_reset_at: unknown };
      // The host has chosen this password: the operator has reset nothing.
      expect(seen.password_reset_at).toBeNull();
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
      const { photo } = await server.app.upload(code, await drawPhoto());
      const refused = await change(TYPO);
      expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'token_change', fields: { host: expect.any(String) } }]);
      const entered = await accept(linkIn(mail as Arrived));
      expect((await ask('DELETE', `/api/photos/${photo.id}`, undefined, { cookie: cookieOf(entered) })).status).toBe(204);
      expect((await change(TYPO)).status).toBe(403);
      expect((await ask('POST', `/admin/events/${id}/invitation`, undefined, bearer)).status).toBe(403);
      expect(await server.app.db.kysely.selectFrom('host_contacts').select('email').execute()).toEqual([{ email: HOST.email }]);
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
      // Without an address, the stranger must not keep the invitation, either.
      expect(await put(null)).toBeNull();
      expect(await look(linkIn(followed as Arrived))).toBe(410);

      clock.time += MINUTE;
      const made = (await (await invite()).json()) as { link: string; mailed: boolean };
      const passedOn = linkIn({ text: made.link } as Arrived);
      expect(await put(TYPO)).toMatchObject({ state: 'open' });
      expect(await look(passedOn)).toBe(200);

      await invite();
      server.mailbox.accepting = async () => expect(await put(HOST)).toBeNull();
      const [late] = await arrived();
      expect(late?.to).toMatchObject([{ address: TYPO.email }]);
      expect(await look(linkIn(late as Arrived))).toBe(410);
    });

    it('is the newer of two, also after one of a node whose clock is ahead: it has its own state, and ends with its address', async () => {
      const { kysely } = server.app.db;
      const state = async () =>
        ((await (await ask('GET', '/admin/events')).json()) as { events: AdminEvent[] }).events[0]?.invitation_state?.state;
      /** Gives the newest mail the id of a node whose clock is ahead. Its own process finds the token by the former id. */
      async function setAhead(id: string): Promise<void> {
        const newest = kysely.selectFrom('outbox').select(({ fn }) => fn.max('created_at').as('at'));
        await kysely.updateTable('outbox').set({ id }).where('created_at', '=', newest).execute();
      }
      let id = '';
      const invite = () => ask('POST', `/admin/events/${id}/invitation`);
      clock.time += 20_000;
      ({ id } = await created({ host: TYPO }));
      await setAhead('fffffffe-ffff-7fff-bfff-ffffffffffff');
      clock.time -= 10_000;
      await invite();
      expect(await state()).toBe('waiting');
      const [mail, ...others] = await arrived();
      expect([mail?.to, others, await state()]).toMatchObject([[{ address: TYPO.email }], [], 'delivered']);
      const astray = linkIn(mail as Arrived);
      const changed = await ask('PUT', `/admin/events/${id}`, { ...FEAST, host: HOST, is_active: true });
      expect([changed.status, await look(astray), await state()]).toEqual([200, 410, undefined]);

      clock.time += MINUTE;
      await invite();
      expect(await arrived()).toHaveLength(1);
      await setAhead('ffffffff-ffff-7fff-bfff-ffffffffffff');
      server.mailbox.answer = { code: 550, text: '5.1.1 unbekannt' };
      clock.time -= 10_000;
      await invite();
      await arrived();
      const { undelivered } = (await (await ask('GET', '/admin/status')).json()) as { undelivered: { invitations: object[] } };
      expect([await state(), undelivered.invitations]).toMatchObject(['undelivered', [{ id, answer: '550 5.1.1 unbekannt' }]]);
    });

    it('that a restart has lost is not sent, says so, and can be made anew', async () => {
      const { id } = await created();
      const other = await openApp({ db: server.app.db, decoder, clock, env: envFor(server.mailbox) });
      // The first process ends, and the other one need not wait until the mail is due again.
      await server.app.outbox.ended();
      await other.outbox.run();
      expect(server.mailbox.arrived).toEqual([]);
      const { deliveries } = (await (await ask('GET', '/admin/outbox?open=1')).json()) as { deliveries: object[] };
      expect(deliveries).toMatchObject([{ topic: 'invitation', state: 'failed', repeatable: false, event_code: expect.any(String) }]);
      await ask('POST', `/admin/events/${id}/invitation`);
      expect(await arrived()).toHaveLength(1);
      await other.close();
    });
  });
});
