import { randomBytes } from 'node:crypto';
import { DAY } from '@feierbild/contract/constants.ts';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { NOBODY } from '../../http/visitor.ts';
import { createParty, type Party } from '../archive/testing/party.ts';
import { purgeEvent } from '../events/purge.ts';
import type { FoundPhoto } from '../photos/photos.ts';
import { newDevice, openPortless, type PortlessApp } from '../testing.ts';

const ADDRESS = '192.0.2.1';

describe.each(enginesForRules())('a temporary link on $name', (engine) => {
  let app: PortlessApp;
  let party: Party;
  let now: number;
  beforeEach(async () => {
    now = Date.parse('2026-05-18T12:00:00Z');
    app = await openPortless({ db: await engine.open(), clock: { now: () => now } });
    party = await createParty(app, 'Fest');
  });
  afterEach(() => app.close());
  afterAll(() => engine.dispose());

  const cookieOf = async ({ eventId, keys }: Party) =>
    `feierbild_host=${(await app.db.transaction((trx) => app.sessions.start('user', eventId, keys, trx))).token}`;
  async function found(of = party): Promise<FoundPhoto> {
    const { eventId, code, keys } = of;
    const host = { sessionId: 's', eventId, eventCode: code, openEventKey: () => keys.privateKey };
    return app.photos.find({ ...NOBODY, host, deviceId: null, address: ADDRESS }, await of.add(randomBytes(9)));
  }
  const tokenOf = async (photo: FoundPhoto) => (await app.links.make(photo)).download_url.split('/').at(-1) as string;
  /** Opens a token; returns the photo's id or the refusal's code. */
  const open = (token: string) =>
    app.links.open(token, ADDRESS).then(
      (photo) => photo?.row.id,
      ({ code }: { code: string }) => code,
    );
  const rowsOf = (table: 'links' | 'link_keys') => app.db.kysely.selectFrom(table).selectAll().execute();

  it('opens its photo for seven days, and not a moment longer', async () => {
    const photo = await found();
    const token = await tokenOf(photo);
    now += 7 * DAY - 1;
    expect(await open(token)).toBe(photo.row.id);
    now += 1;
    expect(await open(token)).toBe('link_expired');
  });

  it('is unknown where it never was, and again 90 days after its end', async () => {
    for (const token of ['x', 'A'.repeat(43), '%00']) {
      const answer = await app.fastify.inject({ url: `/api/photos/temp_download/${token}` });
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([400, 'Ungültiger Download-Link.']);
    }
    const token = await tokenOf(await found());
    now += 8 * DAY;
    await app.links.endExpired();
    expect(await open(token)).toBe('link_expired');
    now += 90 * DAY;
    await app.links.endExpired();
    expect(await open(token)).toBe('link_invalid');
  });

  it('leaves no key behind when it ends: with its photo, with its event, after its days', async () => {
    const [first, second] = [await found(), await found()];
    const [one, two] = [await tokenOf(first), await tokenOf(second)];
    await app.db.kysely.deleteFrom('photos').where('id', '=', first.row.id).execute();
    expect([await open(one), await open(two), (await rowsOf('link_keys')).length]).toEqual(['link_expired', second.row.id, 1]);
    await purgeEvent({ db: app.db, blobs: app.blobs, clock: { now: () => now }, onPurged: () => undefined }, party.eventId);
    expect([await open(two), await rowsOf('link_keys')]).toEqual(['link_expired', []]);
    await tokenOf(await found(await createParty(app, 'Anderes Fest')));
    now += 7 * DAY - 1;
    await app.links.endExpired();
    expect(await rowsOf('link_keys')).toHaveLength(1);
    now += 1;
    await app.links.endExpired();
    expect(await rowsOf('link_keys')).toEqual([]);
  });

  it('leaves a hash and an end, and nothing that leads to its photo, also while that is there', async () => {
    const photo = await found();
    const token = await tokenOf(photo);
    const rows = await rowsOf('links');
    expect(rows.map((row) => Object.keys(row).toSorted())).toEqual([['expires_at', 'token_hash']]);
    const kept = JSON.stringify([rows, await rowsOf('link_keys')]);
    for (const form of [token, Buffer.from(token, 'base64url').toString('hex')]) expect(kept).not.toContain(form);
    await app.db.kysely.deleteFrom('photos').where('id', '=', photo.row.id).execute();
    expect([await rowsOf('link_keys'), await rowsOf('links')]).toEqual([[], rows]);
  });

  it('is refused for a photo that is deleted meanwhile, whose original is not there yet, and in the demo, which publishes nothing', async () => {
    const photo = await found();
    const make = (changes: object) => app.links.make({ ...photo, row: { ...photo.row, ...changes } });
    await expect(make({ demo: 1 })).rejects.toMatchObject({ code: 'demo_fixed' });
    await expect(make({ state: 'announced' })).rejects.toMatchObject({ code: 'original_missing' });
    await app.db.kysely.deleteFrom('photos').where('id', '=', photo.row.id).execute();
    await expect(make({})).rejects.toMatchObject({ code: 'photo_not_found' });
    expect(await rowsOf('links')).toEqual([]);
  });

  it('is made by the host of the event alone', async () => {
    const deviceId = newDevice();
    const id = await party.add(randomBytes(9), { deviceId });
    const make = async (headers: Record<string, string>) =>
      (await app.fastify.inject({ method: 'POST', url: `/api/photos/${id}/link`, headers })).statusCode;
    const ours = { 'sec-fetch-site': 'same-origin' };
    const [host, other] = [await cookieOf(party), await cookieOf(await createParty(app, 'Anderes Fest'))];
    expect(await make({ ...ours, 'device-id': deviceId })).toBe(401);
    expect(await make({ ...ours, cookie: other })).toBe(404);
    // The host of another event asks, in the browser that uploaded the photo.
    expect(await make({ ...ours, cookie: other, 'device-id': deviceId })).toBe(404);
    expect(await make({ cookie: host, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await make({ ...ours, cookie: host })).toBe(201);
  });
});
