import { DAY, HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { dump } from '../accounts/testing.ts';
import { drawPhoto } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import type { Arrived } from './testing/mailbox.ts';
import { cookieOf, FEAST, HOST, useMail } from './testing/mail-client.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('mail on $name', (engine) => {
  const { clock, server, logIn, ask, created, arrived, subjectsOn, linkIn, accept } = useMail(engine, decoder);

  it('warns again of photos that came since the ZIP was downloaded, until they are in one, too', async () => {
    const event = await server.app.event(FEAST);
    await server.app.db.kysely
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
      await logIn();
      const [admin, today] = await Promise.all([ask('GET', '/admin/events?zip=missing'), ask('GET', '/admin/today')]);
      const { events } = (await admin.json()) as { events: { id: string }[] };
      const { due } = (await today.json()) as { due: { unsaved: boolean }[] };
      return [
        ((await json(`/api/events/${event.code}`)) as { unsaved: boolean }).unsaved,
        events.length > 0,
        due.map(({ unsaved }) => unsaved),
      ];
    };
    const photo = async () => server.app.upload(event.code, await drawPhoto());
    clock.time = Date.parse('2026-05-16T18:00:00Z');
    await photo();
    await download();
    await expect.poll(async () => (await arrived()).map(({ subject }) => subject)).toEqual(['Das ZIP von „Lenas Fest“ ist fertig']);
    expect(await subjectsOn('2026-06-09')).toEqual([]);
    expect(await warned()).toEqual([false, false, [false]]);
    expect((await photo()).status).toBe(201);
    // The earlier ZIP lacks the new photo, even if it is downloaded again.
    await (await ask('GET', `/api/events/${event.code}/download`, undefined, host)).arrayBuffer();
    expect(await warned()).toEqual([true, true, [true]]);
    expect(await subjectsOn('2026-06-10')).toEqual(['Noch 6 Tage: „Lenas Fest“ wird gelöscht']);
    await download();
    await expect.poll(warned).toEqual([false, false, [false]]);
    expect(await subjectsOn('2026-06-16')).toEqual([]);
  });

  it('waits for no ZIP that was downloaded since it was written', async () => {
    const event = await server.app.event({ ...FEAST, photo_count: 3 });
    await server.app.db.kysely
      .insertInto('host_contacts')
      .values({ event_id: event.id, ...HOST, muted: '' })
      .execute();
    clock.time = Date.parse('2026-06-09T10:00:00Z');
    await server.app.dueMail.write();
    await server.app.db.kysely.updateTable('events').set({ zip_downloaded_at: clock.time }).where('id', '=', event.id).execute();
    expect(await arrived()).toEqual([]);
  });

  it('proves a deletion when it is signed, and then the address is nowhere any more', async () => {
    const { id, code } = await created();
    await arrived();
    expect((await ask('DELETE', `/admin/events/${id}`)).status).toBe(200);
    expect(await arrived()).toEqual([]);
    await server.app.retention.run(undefined, { thorough: true });
    clock.time += 5 * MINUTE;
    const [mail] = await arrived();
    expect(mail).toMatchObject({ subject: 'Die Fotos von „Lenas Fest“ sind gelöscht', to: [{ address: HOST.email }] });
    const token = new RegExp(`http://fotos\\.example/loeschprotokoll/${code}#(\\S{22})\\s`).exec(mail?.text ?? '')?.[1];
    expect(mail?.text).toContain(`nimmt seine Seite auch diesen Code: ${token}`);
    const held = await dump(server.app.db);
    expect([held.includes(HOST.email), held.includes(HOST.name)]).toEqual([false, false]);
  });

  it.each([
    [{}, 'keine Fotos'],
    [{ announced_count: 3 }, '3 Vorschauen'],
    [{ photo_count: 12, video_count: 1, announced_count: 1 }, '12 Fotos, 1 Video und 1 Vorschau'],
  ])('says of a deleted event what it had: %o', async (held, words) => {
    const { id } = await created();
    await arrived();
    await server.app.db.kysely
      .updateTable('events')
      .set({ title: 'Lenas Fest', ...held })
      .where('id', '=', id)
      .execute();
    await ask('DELETE', `/admin/events/${id}`);
    await server.app.retention.run(undefined, { thorough: true });
    clock.time += 5 * MINUTE;
    expect((await arrived())[0]?.text?.replace(/\s+/g, ' ')).toContain(
      `von „Lenas Fest“ gelöscht (zuletzt gespeichert: ${words}), mit ihren`,
    );
  });

  it('calls no address forgotten that another event of the same host has, or a backup', async () => {
    const { id } = await created();
    await created({ title: 'Noch ein Fest' });
    await arrived();
    await ask('DELETE', `/admin/events/${id}`);
    await server.app.retention.run(undefined, { thorough: true });
    clock.time += 5 * MINUTE;
    const [mail] = await arrived();
    expect((await dump(server.app.db)).includes(HOST.email)).toBe(true);
    expect(mail?.text).toContain('Auch diese Mailadresse ist zu diesem Event nicht mehr gespeichert. Sicherungen enthalten beides noch');
  });

  it('says of a receipt that nobody took that it failed, also when its address is gone, 14 days later', async () => {
    const { id } = await created();
    await arrived();
    await ask('DELETE', `/admin/events/${id}`);
    await server.app.retention.run(undefined, { thorough: true });
    server.mailbox.answer = { code: 550, text: `5.1.1 <${HOST.email}> unbekannt` };
    clock.time += 15 * DAY;
    expect(await arrived()).toEqual([]);
    const held = async () => {
      await server.app.outbox.forget();
      const [text, failed] = [await dump(server.app.db), await server.app.outbox.failed('invitation')];
      return { address: text.includes(HOST.email), failed };
    };
    clock.time += 14 * DAY - MINUTE;
    expect(await held()).toEqual({ address: true, failed: [{ kind: 'mail', count: 1 }] });
    clock.time += MINUTE;
    expect(await held()).toEqual({ address: false, failed: [{ kind: 'mail', count: 1 }] });
  });

  it('says of a deletion that nothing has proved that its host was not told, and forgets the address', async () => {
    const { id } = await created();
    await arrived();
    await ask('DELETE', `/admin/events/${id}`);
    clock.time += 30 * DAY;
    expect(await arrived()).toEqual([]);
    const [entry] = await server.app.outbox.list({ limit: 1 });
    const answer = 'Die Löschung ließ sich 30 Tage lang nicht bestätigen; die Adresse ist gelöscht.';
    expect(entry).toMatchObject({ topic: 'deleted', state: 'failed', answer, payload: null });
    await server.app.outbox.forget();
    expect((await server.app.outbox.list({ limit: 1 }))[0]).toMatchObject({ answer });
    expect((await dump(server.app.db)).includes(HOST.email)).toBe(false);
  });

  it('says of a warning that was not sent why: of a ZIP that nobody downloaded nothing', async () => {
    const event = await server.app.event({ ...FEAST, photo_count: 3 });
    await server.app.db.kysely
      .insertInto('host_contacts')
      .values({ event_id: event.id, ...HOST, muted: '' })
      .execute();
    clock.time = Date.parse('2026-06-09T10:00:00Z');
    await server.app.dueMail.write();
    await server.app.db.kysely.updateTable('events').set({ photo_count: 0 }).where('id', '=', event.id).execute();
    expect(await arrived()).toEqual([]);
    const [entry] = await server.app.outbox.list({ limit: 1 });
    expect(entry).toMatchObject({ topic: 'deletion_7', state: 'dropped', answer: 'Es gibt keine Fotos mehr.' });
  });

  it.each([
    ['2026-06-09', 'deletion_7'],
    ['2026-06-15', 'deletion_1'],
  ])('warns on %s of no deletion that was put off since the mail was written', async (day, topic) => {
    const event = await server.app.event({ ...FEAST, photo_count: 3 });
    await server.app.db.kysely
      .insertInto('host_contacts')
      .values({ event_id: event.id, ...HOST, muted: '' })
      .execute();
    server.mailbox.answer = { code: 451, text: '4.3.0 später' };
    expect(await subjectsOn(day)).toEqual([]);
    server.mailbox.answer = null;
    await server.app.db.kysely.updateTable('events').set({ end_date: '2026-06-16' }).where('id', '=', event.id).execute();
    clock.time += HOUR;
    expect((await arrived()).filter(({ subject }) => subject?.includes(FEAST.title))).toEqual([]);
    const entries = await server.app.outbox.list({ limit: 9 });
    expect(entries.find((entry) => entry.topic === topic)).toMatchObject({ state: 'dropped', answer: 'Das Event wurde verlängert.' });
  });

  it.each([
    ['2026-06-13', ['Noch 3 Tage: „Lenas Fest“ wird gelöscht']],
    // A Monday, which adds the weekly mail.
    ['2026-06-15', ['Ihre Woche mit Lichterfest Eventverleih', 'Letzte Gelegenheit: „Lenas Fest“ wird am 16. Juni 2026 gelöscht']],
  ])('says on %s how many days are left, where the mail server took nothing before', async (day, subjects) => {
    const event = await server.app.event({ ...FEAST, photo_count: 3 });
    await server.app.db.kysely
      .insertInto('host_contacts')
      .values({ event_id: event.id, ...HOST, muted: '' })
      .execute();
    server.mailbox.answer = { code: 451, text: '4.3.0 später' };
    expect(await subjectsOn('2026-06-09')).toEqual([]);
    server.mailbox.answer = null;
    expect(await subjectsOn(day)).toEqual(subjects);
  });

  it('says once that the ZIP is ready, also where it is made again, and what is in it', async () => {
    const { code } = await created();
    const host = { cookie: cookieOf(await accept(linkIn((await arrived())[0] as Arrived))) };
    clock.time = Date.parse('2026-05-16T18:00:00Z');
    expect((await server.app.upload(code, await drawPhoto())).status).toBe(201);
    for (const how of ['create-zip', 'regenerate-zip']) {
      expect((await ask('POST', `/api/events/${code}/${how}`, undefined, host)).status).toBe(202);
      const progress = async () => (await ask('GET', `/api/events/${code}/zip-progress`, undefined, host)).json();
      await expect.poll(progress).toMatchObject({ status: 'complete' });
    }
    await expect.poll(async () => (await server.app.outbox.list({ limit: 9 })).some(({ topic }) => topic === 'zip_ready')).toBe(true);
    // A photo that came since is not in it.
    expect((await server.app.upload(code, await drawPhoto())).status).toBe(201);
    const mails = await arrived();
    expect(mails.map(({ subject }) => subject)).toEqual(['Das ZIP von „Lenas Fest“ ist fertig']);
    expect(mails[0]?.text).toContain('das ZIP mit 1 Foto von');
  });

  it('warns of photos that are deleted in time, proves that they are, and forgets the address', async () => {
    const { code } = await created();
    await arrived();
    clock.time = Date.parse('2026-05-16T18:00:00Z');
    expect((await server.app.upload(code, await drawPhoto())).status).toBe(201);
    clock.time = Date.parse('2026-06-16T23:30:00Z');
    await server.app.retention.run(undefined, { thorough: true });
    clock.time += 5 * MINUTE;
    const [mail, ...others] = await arrived();
    expect([mail?.subject, mail?.to, others]).toEqual([
      'Die Fotos von „Lenas Fest“ sind gelöscht',
      [{ name: HOST.name, address: HOST.email }],
      [],
    ]);
    expect(mail?.text).toContain('gelöscht (zuletzt gespeichert: 1 Foto)');
    await server.app.retention.run(undefined, { thorough: true });
    expect(await arrived()).toEqual([]);
    const held = await dump(server.app.db);
    expect([held.includes(HOST.email), held.includes(HOST.name)]).toEqual([false, false]);
  });
});
