import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { DAY, MINUTE, SELECTION_LIFETIME, SELECTION_LONGEST, SELECTION_PHOTOS } from '@feierbild/contract/constants.ts';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import { endBy } from '../grants/ends.ts';
import type { Archive } from './archive.ts';
import type { Selections } from './selections.ts';
import { createParty, type Party } from './testing/party.ts';
import { centralEntries } from './testing/read-zip.ts';
import { NOW } from './testing/zips.ts';
import { selectionsOf } from './testing/choosing.ts';

describe.each(enginesForRules())('the ZIP of a selection on $name', (engine) => {
  let db: Db;
  let blobs: BlobStore;
  let archive: Archive;
  let selections: Selections;
  let party: Party;
  let fastify: FastifyInstance;
  let cookie: string;
  let logIn: (of: Party) => Promise<string>;
  const { clock, vault, hooks, ask, choose, download, selectionCount } = selectionsOf(engine, (opened) => {
    ({ db, blobs, archive, selections, party, fastify, cookie, logIn } = opened);
  });

  it('holds exactly the chosen photos, each once, in the order of receipt, with unique names', async () => {
    const contents = [0, 1, 2, 3, 4].map((n) => randomBytes(1000 * n + 300_000));
    const ids: string[] = [];
    for (const [n, content] of contents.entries()) ids.push(await party.add(content, { receivedAt: NOW + n }));
    const [a, b, , d] = ids as [string, string, string, string];
    const answer = await download(await choose([d, b, a, b]));
    const zip = answer.rawPayload;
    expect([answer.statusCode, answer.headers['content-length']]).toEqual([200, String(zip.length)]);
    expect(answer.headers['content-disposition']).toContain('Auswahl.zip');
    const found = centralEntries(zip, 0);
    expect(found.map(({ name }) => name.split('/').at(-1))).toEqual(['', ' (2)', ' (3)'].map((n) => `Anna – IMG_0042${n}.jpg`));
    for (const [i, n] of [0, 1, 3].entries()) {
      const { offset, size } = found[i] as (typeof found)[number];
      const at = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
      expect(zip.subarray(at, at + size).equals(contents[n] as Buffer)).toBe(true);
    }
    expect(await archive.status(party.eventId)).toMatchObject({ status: 'idle' });
  });

  it('leaves the ZIP of the event as it is, and goes on where it was cut', async () => {
    const id = await party.add(randomBytes(700_000));
    await party.add(randomBytes(10));
    await archive.create(party.eventId, () => party.keys.privateKey);
    await archive.close();
    const before = await archive.status(party.eventId);
    const path = await choose([id]);
    expect(await archive.status(party.eventId)).toEqual(before);
    const whole = await download(path);
    const bytes = whole.rawPayload;
    const part = await download(path, { range: 'bytes=100000-400000', 'if-range': whole.headers.etag as string });
    expect(part.statusCode).toBe(206);
    expect(part.rawPayload.equals(bytes.subarray(100_000, 400_001))).toBe(true);
  });

  it('takes thousands of photos at once, more than a form may hold, and no more than its bound', async () => {
    const id = await party.add(randomBytes(10));
    await choose(Array.from({ length: SELECTION_PHOTOS }, () => id));
    expect((await ask(Array.from({ length: SELECTION_PHOTOS + 1 }, () => id))).statusCode).toBe(400);
    expect((await ask([])).statusCode).toBe(400);
    expect((await ask('x'.repeat(SELECTION_PHOTOS * 50))).statusCode).toBe(413);
  });

  it('refuses photos of other events, and those that are gone or never were', async () => {
    const own = await party.add(randomBytes(10));
    const foreign = await (await createParty({ db, blobs, vault }, 'Fremdes Fest')).add(randomBytes(10));
    for (const stranger of [foreign, '01890a5d-ac96-774b-bcce-b302099a8057']) expect((await ask([own, stranger])).statusCode).toBe(404);
    await blobs.remove(photoBlob(party.eventId, own, 'original'));
    expect((await ask([own])).statusCode).toBe(404);
    expect((await ask(["' or 1=1"])).statusCode).toBe(400);
    expect(await selectionCount()).toBe(0);
  });

  it('is refused after a few queries, however many strange photos it names, and whether one of them is there', async () => {
    const own = await Promise.all(Array.from({ length: 501 }, () => party.add(randomBytes(10))));
    const strangers = Array.from({ length: SELECTION_PHOTOS }, () => randomUUID());
    const costs = async (photos: string[]) => {
      hooks.queries = 0;
      expect((await ask(photos)).statusCode).toBe(404);
      return hooks.queries;
    };
    const few = await costs([randomUUID()]);
    expect(await costs(strangers)).toBeLessThanOrEqual(few);
    expect(await costs([own[0] as string, ...strangers.slice(1)])).toBeLessThanOrEqual(few);
    expect(await costs([randomUUID(), ...own.slice(1)])).toBe(few);
  });

  it('waits for others of its own event alone', async () => {
    const other = await createParty({ db, blobs, vault }, 'Anderes Fest');
    const [own, others] = [await party.add(randomBytes(10)), await other.add(randomBytes(10))];
    const held = Promise.withResolvers<void>();
    const arrived: string[] = [];
    hooks.meanwhile = async (key) => {
      arrived.push(key.includes(party.eventId) ? 'own' : 'other');
      if (arrived.length === 2) held.resolve();
      await held.promise;
    };
    const many = Promise.all([ask([own]), ask([own]), ask([own])]);
    await expect.poll(() => arrived.length).toBeGreaterThan(0);
    expect((await ask([others], { cookie: await logIn(other), 'sec-fetch-site': 'same-origin' }, other)).statusCode).toBe(201);
    expect((await many).map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
    expect(arrived).toEqual(['own', 'other', 'own', 'own']);
  });

  it('reads previews of many photos at the same time, and names them in the order of receipt', async () => {
    const previews = Array.from({ length: 20 }, (_, n) => randomBytes(1000 + n));
    const ids: string[] = [];
    for (const [n, preview] of previews.entries()) ids.push(await party.add(randomBytes(10), { preview, receivedAt: NOW + n }));
    const held = Promise.withResolvers<void>();
    let reads = 0;
    hooks.reading = async () => {
      reads += 1;
      if (reads === 8) held.resolve();
      await held.promise;
    };
    const found = centralEntries((await download(await choose(ids))).rawPayload, 0);
    expect(found.map(({ size, crc }) => [size, crc])).toEqual(previews.map((preview) => [preview.length, crc32(preview)]));
    const names = previews.map((_, n) => `Hochzeit Größe/nur-vorschau/Anna – IMG_0042 (Vorschau)${n === 0 ? '' : ` (${n + 1})`}.jpg`);
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  it('is not made to its end for somebody who has left, and holds up nobody', async () => {
    const id = await party.add(randomBytes(10));
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = fastify.server.address() as AddressInfo;
    const held = Promise.withResolvers<void>();
    let looked = 0;
    hooks.meanwhile = async () => {
      looked += 1;
      await held.promise;
    };
    const leaving = new AbortController();
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const path = `/api/events/${party.code}/selections`;
    const left = [1, 2].map(async () => {
      const asking = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false, signal: leaving.signal });
      asking.end(JSON.stringify({ photos: [id] }));
      await expect(once(asking, 'response')).rejects.toThrow();
    });
    const counted = promisify(fastify.server.getConnections.bind(fastify.server));
    const connections = () => counted();
    await expect.poll(() => looked).toBe(1);
    await expect.poll(connections).toBe(2);
    leaving.abort();
    await Promise.all(left);
    await expect.poll(connections).toBe(0);
    held.resolve();
    expect((await ask([id])).statusCode).toBe(201);
    expect(await selectionCount()).toBe(1);
  });

  it('is for the host of the event alone, asked for by a page of ours', async () => {
    const id = await party.add(randomBytes(10));
    expect((await ask([id], { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(401);
    expect((await ask([id], { cookie, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    const stranger = await logIn(await createParty({ db, blobs, vault }, 'Fremdes Fest'));
    expect((await ask([id], { cookie: stranger, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(401);
    const path = await choose([id]);
    expect((await download(path, { cookie: '' })).statusCode).toBe(401);
    expect((await download(path, { cookie: stranger })).statusCode).toBe(401);
    // Another login of the same host has its own selections.
    expect((await download(path, { cookie: await logIn(party) })).statusCode).toBe(410);
    expect((await download(`/api/events/${party.code}/selections/%00`)).statusCode).toBe(410);
  });

  it('is there for an hour, and goes with its session', async () => {
    const id = await party.add(randomBytes(10));
    const path = await choose([id]);
    const other = await choose([id]);
    clock.time = NOW + SELECTION_LIFETIME - 1;
    await selections.endExpired();
    expect(await selectionCount()).toBe(2);
    expect((await download(other)).statusCode).toBe(200);
    clock.time = NOW + SELECTION_LIFETIME;
    expect((await download(path)).statusCode).toBe(410);
    await selections.endExpired();
    expect(await selectionCount()).toBe(1);
    clock.time = NOW + 2 * SELECTION_LIFETIME - 1;
    expect((await download(other)).statusCode).toBe(410);
    await selections.endExpired();
    expect(await selectionCount()).toBe(0);
    await choose([id]);
    await db.transaction((trx) => endBy('host.password', party.eventId, trx));
    expect(await selectionCount()).toBe(0);
  });

  it('stays while it is read, however many others are made, and goes on for an hour after that', async () => {
    const id = await party.add(randomBytes(2_000_000));
    const path = await choose([id]);
    const row = () => db.kysely.selectFrom('selections').selectAll().where('id', '=', path.split('/').at(-1)!).executeTakeFirst();
    const { session_id } = (await row())!;
    const host = { sessionId: session_id, eventId: party.eventId, eventCode: party.code, openEventKey: () => party.keys.privateKey };
    const zip = await selections.open(host, path.split('/').at(-1)!);
    const pieces = zip.read({ start: 0, end: zip.size });
    await pieces.next();
    for (const later of [SELECTION_LIFETIME - MINUTE, MINUTE, SELECTION_LIFETIME - MINUTE, MINUTE]) {
      clock.time += later;
      await pieces.next();
      await expect.poll(async () => (await row())?.expires_at).toBe(clock.time + SELECTION_LIFETIME);
      await selections.endExpired();
      for (let others = 0; others < 6; others += 1) await choose([id]);
    }
    clock.time += 30 * MINUTE;
    await pieces.return(undefined);
    clock.time += SELECTION_LIFETIME - 1;
    const rest = await download(path, { range: 'bytes=1000000-', 'if-range': `"${zip.etag}"` });
    expect([rest.statusCode, rest.rawPayload.length]).toEqual([206, zip.size - 1_000_000]);
  });

  it('is there for six hours at most, also where it is read again and again', async () => {
    const path = await choose([await party.add(randomBytes(10))]);
    for (clock.time = NOW; clock.time < NOW + SELECTION_LONGEST; clock.time += SELECTION_LIFETIME - 1)
      expect((await download(path)).statusCode).toBe(200);
    clock.time = NOW + SELECTION_LONGEST;
    expect((await download(path)).statusCode).toBe(410);
  });

  it('is not pushed out by those that a clock made which was ahead', async () => {
    const id = await party.add(randomBytes(10));
    clock.time = NOW + 10 * DAY;
    for (let n = 0; n < 10; n++) await choose([id]);
    clock.time = NOW;
    const path = await choose([id]);
    expect((await download(path)).statusCode).toBe(200);
    expect(await selectionCount()).toBe(1);
  });

  it('asks for a login where the session ends while it is made', async () => {
    const id = await party.add(randomBytes(10));
    hooks.meanwhile = () => db.transaction((trx) => endBy('host.password', party.eventId, trx));
    const answer = await ask([id]);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'login_required']);
    expect(await selectionCount()).toBe(0);
  });

  it('is refused as a whole when one of its photos was deleted since', async () => {
    const [first, second] = [await party.add(randomBytes(10)), await party.add(randomBytes(10))];
    const path = await choose([first, second]);
    await db.kysely.deleteFrom('photos').where('id', '=', second).execute();
    expect((await download(path)).statusCode).toBe(404);
  });

  it('does not pile up: of a session the newest ten stay', async () => {
    const id = await party.add(randomBytes(10));
    const oldest = await choose([id]);
    clock.time += 1;
    for (let n = 0; n < 10; n += 1) await choose([id]);
    expect(await selectionCount()).toBe(10);
    expect((await download(oldest)).statusCode).toBe(410);
  });

  it('does not reveal its names to who has the database', async () => {
    await choose([await party.add(randomBytes(10), { filename: 'Geheimnis.jpg' })]);
    const row = await db.kysely.selectFrom('selections').selectAll().where('event_id', '=', party.eventId).executeTakeFirstOrThrow();
    expect(Buffer.from(row.manifest).includes('Geheimnis')).toBe(false);
  });
});
