import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_PASSWORD_FAILURES } from '@feierbild/contract/constants.ts';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { fail } from '../rate-limits/testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('the passwords of an event on $name', (engine) => {
  let db: Db;
  let app: TestApp;
  beforeEach(async () => {
    db = await engine.open();
    app = await openApp({ db, decoder });
  });
  afterEach(() => app.close());

  /** Uses up the address's attempts at both passwords, as the guesses of others do. */
  const guessedByOthers = async ({ id }: { id: string }): Promise<void> => {
    for (const who of ['guest', 'fotobox']) {
      let last = false;
      while (!last) last = await fail(app.limits, 'event-password', '127.0.0.1', id, who);
    }
  };
  const failures = async (): Promise<number> => {
    const rows = await db.kysely.selectFrom('failures').select('count').execute();
    return rows.reduce((sum, { count }) => sum + count, 0);
  };
  /** Restarts the server, which loses its memory. */
  const restart = async (): Promise<void> => {
    await app.close();
    db = await engine.again(db);
    app = await openApp({ db, decoder });
  };
  const send = async (code: string, password: string, device = newDevice()) =>
    app.upload(code, await drawPhoto(), { device, headers: { 'event-password': password } });
  const check = (code: string, password: string, device?: string) =>
    fetch(`${app.url}/event/${code}`, { headers: { 'event-password': password, ...(device && { 'device-id': device }) } });

  /** Opens the folder of a Fotobox. */
  const openFolder = async (code: string, password: string): Promise<number> => {
    const authorization = `Basic ${Buffer.from(`${code}:${password}`).toString('base64')}`;
    return (await fetch(`${app.url}/dav/${code}/`, { method: 'PROPFIND', headers: { authorization, depth: '0' } })).status;
  };
  const both = { upload: 'Sommer', fotobox: 'Knipsekasten' };

  it('let a device that has uploaded in although others have guessed, at the upload and at the page', async () => {
    const event = await app.event({ with_upload_password: 1 }, { upload: 'Sommer' });
    const device = newDevice();
    expect((await send(event.code, 'Sommer', device)).status).toBe(201);
    await restart();
    await guessedByOthers(event);
    expect((await check(event.code, 'Sommer', newDevice())).status).toBe(429);
    expect((await check(event.code, 'falsch', device)).status).toBe(403);
    expect((await check(event.code, 'Sommer', device)).status).toBe(200);
    await restart();
    expect((await send(event.code, 'Sommer', device)).status).toBe(201);
  });

  it('are neither right nor wrong for an address that has guessed too often, one after another or all at once', async () => {
    const event = await app.event({ with_upload_password: 1 }, { upload: 'Sommer' });
    const guest = newDevice();
    expect((await send(event.code, 'Sommer', guest)).status).toBe(201);
    const guesses = Array.from({ length: 120 }, (_, n) => (n === 100 ? 'Sommer' : `geraten ${n}`));
    const answers = await Promise.all(guesses.map((guess) => check(event.code, guess).then(({ status }) => status)));
    expect(answers.filter((status) => status !== 429)).toEqual(Array.from({ length: EVENT_PASSWORD_FAILURES.count }, () => 403));
    for (const guess of ['Sommer', 'Winter']) {
      const answer = await check(event.code, guess);
      expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
    }
    // A device that has uploaded may still try; its failures are counted separately.
    expect((await check(event.code, 'Sommer', guest)).status).toBe(200);
    for (let n = 0; n < EVENT_PASSWORD_FAILURES.count; n += 1) expect((await check(event.code, 'Herbst', guest)).status).toBe(403);
    expect((await check(event.code, 'Sommer', guest)).status).toBe(429);
  });

  it('let the Fotobox itself go on while others at its address guess', async () => {
    const event = await app.event({ with_fotobox: 1 }, { fotobox: 'Knipsekasten' });
    const [box, guest] = [newDevice(), newDevice()];
    expect((await send(event.code, 'Knipsekasten', box)).body).toContain('download_url');
    expect((await send(event.code, 'geraten', guest)).status).toBe(201);
    await guessedByOthers(event);
    expect((await send(event.code, 'Knipsekasten', box)).body).toContain('download_url');
    expect((await send(event.code, 'Knipsekasten', guest)).body).not.toContain('download_url');
  });

  it('ask a Fotobox to try again where others have guessed, whether guests need a password or may not upload', async () => {
    for (const changes of [{ with_user_upload: 0 }, { with_upload_password: 1 }]) {
      const event = await app.event({ with_fotobox: 1, ...changes }, { upload: 'Sommer', fotobox: 'Knipsekasten' });
      const device = newDevice();
      expect((await send(event.code, 'Knipsekasten', device)).status).toBe(201);
      await restart();
      await guessedByOthers(event);
      expect(await send(event.code, 'Knipsekasten', device)).toMatchObject({ status: 429, code: 'too_many_attempts' });
    }
  });

  it('let a guest with a card in although others have guessed, until there is another password, and take no proof of another event', async () => {
    const event = await app.event({ with_upload_password: 1 }, { upload: 'Sommer' });
    const other = await app.event({ with_upload_password: 1 }, { upload: 'Sommer' });
    const { link_password: card = '' } = await app.events.guests.linkPassword(event.id, 'Sommer');
    await guessedByOthers(event);
    const before = await failures();
    expect((await check(event.code, 'Sommer')).status).toBe(429);
    expect((await check(event.code, card)).status).toBe(200);
    expect((await send(event.code, card)).status).toBe(201);
    expect((await check(event.code, `${card.slice(0, -1)}~`)).status).toBe(429);
    expect((await check(other.code, card)).status).toBe(403);
    const verifier = await app.vault.createVerifier('Herbst');
    await db.kysely.updateTable('event_passwords').set({ verifier }).where('event_id', '=', event.id).execute();
    expect((await check(event.code, card)).status).toBe(403);
    // At the other event the card counts as a typed password.
    expect(await failures()).toBe(before + 1);
  });

  it('never cost a photo where guests may upload without one', async () => {
    const event = await app.event({ with_fotobox: 1 }, { fotobox: 'Knipsekasten' });
    await guessedByOthers(event);
    const taken = await send(event.code, 'Knipsekasten');
    expect(taken.status).toBe(201);
    expect(taken.body).not.toContain('download_url');
  });

  it('count a password of former times once, however many guests still send it', async () => {
    const event = await app.event({ with_fotobox: 1 }, { fotobox: 'Knipsekasten' });
    const guests = await Promise.all(Array.from({ length: 5 }, () => send(event.code, 'Sommer')));
    expect(guests.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(await failures()).toBe(1);
    expect((await send(event.code, 'Winter')).status).toBe(201);
    expect(await failures()).toBe(2);
    expect((await send(event.code, 'Knipsekasten')).body).toContain('download_url');
  });

  it('let newcomers in beside booths that go on with a password of former times, in their folder and by forms', async () => {
    const event = await app.event({ with_fotobox: 1, with_upload_password: 1 }, both);
    const box = newDevice();
    expect((await send(event.code, 'Knipsekasten', box)).status).toBe(201);
    const verifier = await app.vault.createVerifier('Blitzkiste');
    const ofEvent = db.kysely.updateTable('event_passwords').set({ verifier }).where('event_id', '=', event.id);
    await ofEvent.where('kind', '=', 'fotobox').execute();
    await restart();
    for (let n = 0; n < EVENT_PASSWORD_FAILURES.count; n += 1) {
      expect(await openFolder(event.code, 'Knipsekasten')).toBe(401);
      expect((await send(event.code, 'Knipsekasten', box)).status).toBe(403);
    }
    expect((await check(event.code, 'Sommer')).status).toBe(200);
    expect((await send(event.code, 'Sommer')).status).toBe(201);
    expect(await openFolder(event.code, 'Blitzkiste')).toBe(207);
    expect((await send(event.code, 'Blitzkiste', box)).body).toContain('download_url');
  });

  it("give no device guesses of its own at a Fotobox's password that came after the one it gave", async () => {
    const event = await app.event({ with_fotobox: 1, with_user_upload: 0 }, { fotobox: 'Knipsekasten' });
    const [one, other] = [newDevice(), newDevice()];
    for (const device of [one, other]) expect((await send(event.code, 'Knipsekasten', device)).status).toBe(201);
    const verifier = await app.vault.createVerifier('Blitzkiste');
    await db.kysely
      .updateTable('event_passwords')
      .set({ verifier })
      .where('event_id', '=', event.id)
      .where('kind', '=', 'fotobox')
      .execute();
    for (let n = 0; n < EVENT_PASSWORD_FAILURES.count; n += 1) await send(event.code, `geraten ${n}`, one);
    expect((await send(event.code, 'Blitzkiste', other)).status).toBe(429);
  });

  it('let a new booth in beside guests who go on with a password of former times', async () => {
    const event = await app.event({ with_fotobox: 1, with_upload_password: 1 }, both);
    for (let n = 0; n < EVENT_PASSWORD_FAILURES.count; n += 1) expect((await check(event.code, 'Winter')).status).toBe(403);
    expect((await check(event.code, 'Sommer')).status).toBe(429);
    expect(await openFolder(event.code, 'Knipsekasten')).toBe(207);
    expect((await send(event.code, 'Knipsekasten')).body).toContain('download_url');
  });

  it("count guesses at the Fotobox's in its folder and elsewhere together, and never compare the guests' in the folder", async () => {
    const event = await app.event({ with_fotobox: 1, with_upload_password: 1 }, both);
    expect(await openFolder(event.code, 'Sommer')).toBe(401);
    for (let n = 2; n <= EVENT_PASSWORD_FAILURES.count; n += 1)
      if (n % 2 === 0) expect(await openFolder(event.code, `geraten ${n}`)).toBe(401);
      else expect((await check(event.code, `geraten ${n}`)).status).toBe(403);
    expect(await openFolder(event.code, 'Knipsekasten')).toBe(429);
    // Neither is said to be wrong where only one was compared.
    for (const password of ['Knipsekasten', 'geraten']) expect((await check(event.code, password)).status).toBe(429);
    expect((await check(event.code, 'Sommer')).status).toBe(200);
  });
});
