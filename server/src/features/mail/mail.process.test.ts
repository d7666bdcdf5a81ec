import { MINUTE } from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { dump } from '../accounts/testing.ts';
import { createProof } from '../proofs/proofs.ts';
import { drawPhoto, openApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { openMailbox, type Arrived } from './testing/mailbox.ts';
import { FEAST, HOST, useMail, START, TYPO } from './testing/mail-client.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('mail on $name', (engine) => {
  const { clock, server, logIn, ask, created, arrived, subjectsOn, linkIn, accept } = useMail(engine, decoder);

  it('comes when it is due, once, and not where it is needless', async () => {
    const { id, code } = await created();
    await accept(linkIn((await arrived())[0] as Arrived));
    const photo = async () => server.app.upload(code, await drawPhoto());
    expect(await subjectsOn('2026-05-12')).toEqual([]);
    expect(await subjectsOn('2026-05-13')).toEqual(['Ihr Event beginnt am 16. Mai 2026']);
    expect(await subjectsOn('2026-05-14')).toEqual([]);
    // The host tries the page before the feast; this photo is no guest's.
    expect((await photo()).status).toBe(201);
    expect(await subjectsOn('2026-05-16')).toEqual([]);
    clock.time = Date.parse('2026-05-16T18:00:00Z');
    expect((await photo()).status).toBe(201);
    expect(await subjectsOn('2026-05-17')).toEqual(['Die ersten Fotos von „Lenas Fest“ sind da']);
    expect(await subjectsOn('2026-06-08')).not.toContain('Noch 7 Tage: „Lenas Fest“ wird gelöscht');
    expect(await subjectsOn('2026-06-09')).toEqual(['Noch 7 Tage: „Lenas Fest“ wird gelöscht']);
    expect(await subjectsOn('2026-06-14')).toEqual([]);
    expect(await subjectsOn('2026-06-15')).toContain('Letzte Gelegenheit: „Lenas Fest“ wird am 16. Juni 2026 gelöscht');
    // The host of another event has downloaded the ZIP already.
    const saved = await server.app.event({ ...FEAST, zip_downloaded_at: START, photo_count: 3 });
    await server.app.db.kysely
      .insertInto('host_contacts')
      .values({ event_id: saved.id, ...HOST, muted: '' })
      .execute();
    expect(await subjectsOn('2026-06-16')).toEqual([]);
    expect((await server.app.row(id)).purging_at).toBeNull();
  });

  it('ends a kind by its link, also by one click of a mail program, and begins it again', async () => {
    const { id } = await created();
    await arrived();
    clock.time = Date.parse('2026-05-13T10:00:00Z');
    await server.app.dueMail.write();
    const [mail] = await arrived();
    const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const path = /^<http:\/\/fotos\.example(\/abmelden\/.+)>$/.exec(header('list-unsubscribe') ?? '')?.[1] ?? '';
    expect(mail?.text).toContain(path);
    const click = await fetch(server.app.url + path, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    expect([click.status, await click.json()]).toEqual([200, { kind: 'Erinnerung an den Beginn', on: false }]);
    expect((await ask('POST', path.replace('begins', 'deletion'), undefined, {})).status).toBe(404);
    expect((await ask('POST', path.slice(0, -1), undefined, {})).status).toBe(404);
    await server.app.db.transaction((trx) => server.app.mail.toHost(trx, 'begins', id, { once: 'again' }));
    expect(await arrived()).toEqual([]);
    expect(await (await ask('POST', path, { on: true }, {})).json()).toMatchObject({ on: true });
    await server.app.db.transaction((trx) => server.app.mail.toHost(trx, 'begins', id, { once: 'and again' }));
    expect(await arrived()).toHaveLength(1);
    // An invitation cannot be unsubscribed.
    await logIn();
    await ask('POST', `/admin/events/${id}/invitation`);
    expect((await arrived())[0]?.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
  });

  it('ends a kind for the address that asked for it, and for none that takes its place', async () => {
    const { id } = await created({ host: TYPO });
    await arrived();
    const change = (host: object) => ask('PUT', `/admin/events/${id}`, { ...FEAST, host, is_active: true });
    const written = async (topic: 'begins' | 'first_photos', once: string) => {
      await server.app.db.transaction((trx) => server.app.mail.toHost(trx, topic, id, { once }));
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
    // Mails of 0.5.0 contained no address in their proof.
    const old = (await createProof(server.app.db)('unsubscribe', id, 'first_photos')).slice(0, 22);
    expect(await end(`/abmelden/${id}.first_photos.${old}`)).toBe(200);
    await server.app.db.kysely.updateTable('events').set({ photo_count: 1 }).where('id', '=', id).execute();
    expect(await written('first_photos', 'six')).toEqual([]);
  });

  it('waits with the first photos, where they were deleted since, until there are others', async () => {
    const { id } = await created();
    await arrived();
    await server.app.db.transaction((trx) => server.app.mail.toHost(trx, 'first_photos', id));
    expect(await arrived()).toEqual([]);
    await server.app.db.kysely.updateTable('events').set({ photo_count: 2 }).where('id', '=', id).execute();
    clock.time += 5 * MINUTE;
    expect((await arrived())[0]?.text).toContain('Bisher angekommen von „Lenas Fest“: 2 Fotos.');
  });

  it('gives the first photos up once none can be news any more', async () => {
    const { id } = await created();
    await arrived();
    await server.app.db.transaction((trx) => server.app.mail.toHost(trx, 'first_photos', id));
    const answerOn = async (day: string) => {
      clock.time = Date.parse(`${day}T18:00:00Z`);
      expect(await arrived()).toEqual([]);
      const entry = server.app.db.kysely.selectFrom('outbox').select(['state', 'answer']).where('topic', '=', 'first_photos');
      return entry.executeTakeFirst();
    };
    expect(await answerOn('2026-05-19')).toMatchObject({ state: 'waiting' });
    expect(await answerOn('2026-05-20')).toMatchObject({ answer: 'Es gibt keine Fotos mehr.' });
  });

  it('is the same mail when it is sent again: a receiver knows it by its id', async () => {
    await server.app.reports.add({ event: 'Fest', photo: 'eins', reason: 'so', name: '', email: '' }, '192.0.2.1');
    server.mailbox.accepting = async () => {
      // The server has taken the mail, but the outcome is not stored any more.
      await server.app.db.kysely.updateTable('outbox').set({ attempts: 9 }).execute();
    };
    const [first] = await arrived();
    server.mailbox.accepting = async () => undefined;
    await server.app.db.kysely.updateTable('outbox').set({ attempts: 1, held_until: 0 }).execute();
    const [second] = await arrived();
    expect(second?.messageId).toMatch(/^<[0-9a-f-]{36}@zelt\.example>$/);
    expect([second?.messageId, second?.date, second?.text]).toEqual([first?.messageId, first?.date, first?.text]);
    expect(await arrived()).toEqual([]);
  });

  it('comes after an outage of the mail server, by its retries', async () => {
    await created();
    server.mailbox.answer = { code: 451, text: '4.7.1 Greylisting, bitte später' };
    expect(await arrived()).toEqual([]);
    clock.time += MINUTE;
    server.mailbox.answer = null;
    expect(await arrived()).toHaveLength(1);
    server.mailbox.answer = { code: 550, text: '5.1.1 unbekannt' };
    await created();
    await arrived();
    const { deliveries } = (await (await ask('GET', '/admin/outbox?open=1&lane=mail')).json()) as { deliveries: object[] };
    expect(deliveries).toMatchObject([{ state: 'failed', answer: '550 5.1.1 unbekannt' }]);
  });

  it('goes through the server that an operator set in the browser: its password is in no row and no backup, and goes to no other server', async () => {
    const login = { user: 'feier@zelt.example', pass: 'ein ganz geheimes Wort' };
    const provider = await openMailbox({ login });
    const plain = await openApp({ db: server.app.db, decoder, clock });
    const before = server.app.url;
    server.app.url = plain.url;
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
    expect(await dump(server.app.db)).not.toContain(login.pass);
    expect(await (await ask('GET', '/admin/mail')).json()).toMatchObject({
      from: 'feier@zelt.example',
      fixed: false,
      server: { host: '127.0.0.1', has_password: true, origin: 'https://fotos.zelt.example' },
    });
    // Without a password, the stored one stays, but for this server only.
    expect((await set()).status).toBe(204);
    expect(await (await set({ port: server.mailbox.port })).json()).toMatchObject({ fields: { password: expect.any(String) } });
    expect(await (await ask('POST', '/admin/mail/test', { to: HOST.email })).json()).toMatchObject({ accepted: true });
    expect(await created()).toMatchObject({ invitation: { mailed: true } });
    await plain.outbox.run();
    expect(provider.arrived.at(-1)).toMatchObject({ from: { address: 'feier@zelt.example' } });
    expect(provider.arrived.at(-1)?.text).toContain('https://fotos.zelt.example/einladung/');
    // A form that was opened before another change sets nothing.
    const { server: was } = (await (await ask('GET', '/admin/mail')).json()) as { server: object };
    const wish = { sender: 'fest@zelt.example' };
    expect((await set({ ...wish, was })).status).toBe(204);
    const late = await set({ sender: 'alt@zelt.example', was });
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([409, 'settings_changed']);
    expect(await (await ask('GET', '/admin/mail')).json()).toMatchObject({ from: wish.sender });
    // The same settings again, as after a lost answer; a typed password always counts as a change.
    expect((await set({ ...wish, was })).status).toBe(204);
    expect((await set({ ...wish, was, password: 'ein anderes geheimes Wort' })).status).toBe(204);
    expect(await (await ask('POST', '/admin/mail/test', { to: HOST.email })).json()).toMatchObject({ accepted: false });
    expect((await set({ password: login.pass, was: null })).status).toBe(409);
    // The environment has priority; then nothing can be set here.
    server.app.url = before;
    expect(await (await ask('GET', '/admin/mail')).json()).toMatchObject({ fixed: true });
    expect((await set({ password: login.pass })).status).toBe(400);
    server.app.url = plain.url;
    expect((await ask('DELETE', '/admin/mail/server')).status).toBe(204);
    expect(await (await ask('GET', '/admin/mail')).json()).toMatchObject({ from: null, server: null });
    // One of several simultaneous first saves succeeds; the others are refused.
    const senders = Array.from({ length: 6 }, (_, n) => `${n}@zelt.example`);
    const firsts = await Promise.all(senders.map((sender) => set({ sender, user: '', was: null })));
    const [taken, ...more] = senders.filter((_, n) => firsts[n]?.status === 204);
    expect([more, firsts.filter(({ status }) => status === 409).length]).toEqual([[], 5]);
    expect(await (await ask('GET', '/admin/mail')).json()).toMatchObject({ from: taken });
    expect((await ask('DELETE', '/admin/mail/server')).status).toBe(204);
    server.app.url = before;
    await plain.close();
    await provider.close();
  });

  it('is not written where no server is configured, and everything else works', async () => {
    const without = await openApp({ db: server.app.db, decoder, clock });
    const before = server.app.url;
    server.app.url = without.url;
    const { id, invitation } = await created();
    expect(invitation).toMatchObject({ mailed: false, link: expect.stringContaining(`${without.url}/einladung/`) });
    expect(await (await ask('GET', '/admin/mail')).json()).toMatchObject({ from: null });
    expect(await (await ask('POST', '/admin/mail/test', { to: HOST.email })).json()).toEqual({
      accepted: false,
      answer: 'Es ist kein Mailserver eingerichtet.',
    });
    expect((await ask('DELETE', `/admin/events/${id}`)).status).toBe(200);
    expect(await server.app.db.kysely.selectFrom('outbox').selectAll().execute()).toEqual([]);
    server.app.url = before;
    await without.close();
  });
});
