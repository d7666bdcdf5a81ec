import { randomBytes, randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createHttp } from '../../http/bind.ts';
import { translateErrors } from '../../http/errors.ts';
import { photoBlob, type BlobStore } from '../../storage/blob-store.ts';
import { wireApp } from '../testing.ts';
import { archiveRoutes } from './archive.routes.ts';
import type { Archive } from './archive.ts';
import { createSelections } from './selections.ts';
import { openFilesBelow } from '../../testing/system.ts';
import type { SealedMetadata } from '../sealed-metadata/sealed-metadata.ts';
import type { Party } from './testing/party.ts';
import { zipsOf } from './testing/zips.ts';

describe.each(enginesForRules())('the ZIP of an event over HTTP on $name', (engine) => {
  let db: Db;
  let folder: string;
  let blobs: BlobStore;
  let sealedMetadata: SealedMetadata;
  let archive: Archive;
  let party: Party;
  const { clock, vault, verifyReceived, openKey, make, whole } = zipsOf(engine, (opened) => {
    ({ db, folder, blobs, sealedMetadata, archive, party } = opened);
  });

  let port: number;
  let close: () => Promise<void>;
  const path = () => `/api/events/${party.code}/download`;
  const fetchBytes = async (headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path()}`, { headers });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  const realEvents = () => wireApp({ db, vault, clock, folder, wrapStore: () => blobs }).events;

  beforeEach(async () => {
    const app = Fastify({ forceCloseConnections: true });
    translateErrors(app);
    const host = { sessionId: 's', eventId: party.eventId, eventCode: party.code, openEventKey: openKey };
    archiveRoutes(
      createHttp(app, async () => ({
        host,
        admin: null,
        assistant: null,
        projector: null,
        helper: null,
        gallery: null,
        token: null,
        deviceId: null,
        address: '127.0.0.1',
      })),
      archive,
      createSelections({ db, blobs, vault, sealedMetadata, verifyReceived, clock }),
      realEvents(),
    );
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.server.address() as AddressInfo).port;
    close = () => app.close();
  });
  afterEach(() => close());

  it('is made, watched and downloaded with length, name, validator and ranges', async () => {
    await party.add(randomBytes(700_000));
    const call = (method: string, name: string, ref = party.code) =>
      fetch(`http://127.0.0.1:${port}/api/events/${ref}/${name}`, { method });
    expect((await call('GET', 'download')).status).toBe(409);
    expect((await call('POST', 'create-zip')).status).toBe(202);
    await archive.close();
    expect(await (await call('GET', 'zip-progress', party.eventId)).json()).toMatchObject({ status: 'complete', photos: 1 });
    expect((await call('POST', 'regenerate-zip', party.code.toLowerCase())).status).toBe(202);
    await archive.close();
    expect((await call('GET', 'zip-progress', 'ABCD2345')).status).toBe(401);

    const { answer, bytes } = await fetchBytes();
    const etag = answer.headers.get('etag') as string;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Hochzeit%20Gr%C3%B6%C3%9Fe.zip");
    expect(bytes.equals(await whole())).toBe(true);

    const part = await fetchBytes({ range: 'bytes=100000-400000', 'if-range': etag });
    expect(part.answer.status).toBe(206);
    expect(part.answer.headers.get('content-range')).toBe(`bytes 100000-400000/${bytes.length}`);
    expect(part.bytes.equals(bytes.subarray(100_000, 400_001))).toBe(true);
    expect((await fetchBytes({ range: 'bytes=100000-', 'if-range': '"another"' })).answer.status).toBe(200);
    expect((await fetchBytes({ range: `bytes=${bytes.length}-` })).answer.status).toBe(416);
    expect((await fetchBytes({ 'if-none-match': etag })).answer.status).toBe(304);
    const head = await call('HEAD', 'download');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  it('counts as downloaded where the answer with its end is the first that is whole', async () => {
    for (let i = 0; i < 3; i += 1) await party.add(randomBytes(700_000));
    await make();
    const saved = async () => {
      const times = db.kysely.selectFrom('events').select('zip_downloaded_at').where('id', '=', party.eventId);
      return (await times.executeTakeFirstOrThrow()).zip_downloaded_at;
    };
    for (const range of ['bytes=1400000-', 'bytes=700000-1399999', 'bytes=0-699999']) {
      expect(await saved()).toBeNull();
      expect((await fetchBytes({ range })).answer.status).toBe(206);
    }
    await expect.poll(saved).not.toBeNull();
  });

  it('cut twenty times at random and continued by Range, is byte for byte the same', async () => {
    for (let i = 0; i < 5; i += 1) await party.add(randomBytes(700_000 + i));
    await make();
    const expected = await whole();
    const etag = `"${(await archive.open(party.eventId, openKey)).etag}"`;
    const received: Buffer[] = [];
    const have = () => received.reduce((sum, piece) => sum + piece.length, 0);
    for (let cut = 0; cut <= 20; cut += 1) {
      const left = expected.length - have();
      const wanted = cut === 20 ? left : randomInt(0, Math.ceil((2 * left) / (21 - cut)));
      const headers = { range: `bytes=${have()}-`, 'if-range': etag };
      received.push(await firstBytes(await request(port, path(), headers), Math.min(wanted, left)));
    }
    expect(Buffer.concat(received).equals(expected)).toBe(true);
  });

  it('breaks off where a photo was tampered with, rather than ending as if it were whole', async () => {
    await party.add(randomBytes(700_000));
    const photoId = await party.add(randomBytes(700_000));
    await make();
    const file = join(folder, photoBlob(party.eventId, photoId, 'original'));
    writeFileSync(file, randomBytes(vault.sealedSize(700_000)));
    await expect(fetchBytes()).rejects.toThrow();
  });

  it('breaks off where a photo is gone, and can be made anew', async () => {
    await party.add(randomBytes(700_000));
    const photoId = await party.add(randomBytes(700_000));
    await make();
    await db.kysely.deleteFrom('photos').where('id', '=', photoId).execute();
    await expect(fetchBytes()).rejects.toThrow();
    await expect.poll(() => archive.status(party.eventId)).toMatchObject({ status: 'idle' });
    expect(await make()).toMatchObject({ status: 'complete', photos: 1 });
  });

  it.skipIf(process.platform !== 'linux')('leaves no file open when the client goes away', async () => {
    for (let i = 0; i < 8; i += 1) await party.add(randomBytes(5_000_000));
    await make();
    for (let i = 0; i < 5; i += 1) await firstBytes(await request(port, path()), 100_000);
    await expect.poll(() => openFilesBelow(folder)).toEqual([]);
  });
});

function request(port: number, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get({ port, host: '127.0.0.1', path, headers, agent: false }, resolve).on('error', reject));
}

/** Reads the first bytes of an answer, then cuts the connection. */
async function firstBytes(answer: IncomingMessage, count: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  if (count > 0) {
    for await (const piece of answer) {
      pieces.push(piece as Buffer);
      length += (piece as Buffer).length;
      if (length >= count) break;
    }
  }
  answer.destroy();
  return Buffer.concat(pieces).subarray(0, count);
}
