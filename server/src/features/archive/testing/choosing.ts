import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import type { Db } from '../../../database/open.ts';
import type { Engine } from '../../../database/testing.ts';
import { createHttp } from '../../../http/bind.ts';
import { translateErrors } from '../../../http/errors.ts';
import { refuseForeignOrigins } from '../../../http/request-guards.ts';
import type { BlobStore } from '../../../storage/blob-store.ts';
import { createFolderStore } from '../../../storage/folder-store.ts';
import { createQuickVault } from '../../../vault/testing/quick-vault.ts';
import { wireApp } from '../../testing.ts';
import { archiveRoutes } from '../archive.routes.ts';
import { createParty, type Party } from './party.ts';
import { NOW } from './zips.ts';
import { RUN_FOLDER } from '../../../testing/run-folder.ts';

const vault = createQuickVault();
const clock = { time: NOW, now: () => clock.time };
type Opened = Awaited<ReturnType<typeof openHost>>;

/** For tests: sets up the API of an event's host before each test, without a port, and chooses photos by it. */
export function selectionsOf(engine: Engine, onOpen: (opened: Opened) => void) {
  /** What the running test does meanwhile, and the queries that were written since the first one began. */
  const hooks: Hooks = { queries: 0 };
  let db: Db | undefined;
  let at: Opened;

  beforeEach(async () => {
    clock.time = NOW;
    db ??= await engine.open();
    Object.assign(hooks, { meanwhile: undefined, reading: undefined });
    at = await openHost(db, hooks);
    onOpen(at);
  });
  afterEach(async () => {
    await at.fastify.close();
    await at.archive.close();
    rmSync(at.folder, { recursive: true, force: true });
  });
  afterAll(() => engine.dispose());

  const ask = (
    photos: unknown,
    headers: Record<string, string> = { cookie: at.cookie, 'sec-fetch-site': 'same-origin' },
    { code } = at.party,
  ) => at.fastify.inject({ method: 'POST', url: `/api/events/${code}/selections`, headers, payload: { photos } });
  const choose = async (photos: string[]): Promise<string> => {
    const answer = await ask(photos);
    expect(answer.statusCode).toBe(201);
    return answer.json<{ download_url: string }>().download_url;
  };
  const download = (path: string, headers: Record<string, string> = {}) =>
    at.fastify.inject({ url: path, headers: { cookie: at.cookie, ...headers } });
  const selectionCount = async () =>
    Number(
      (
        await at.db.kysely
          .selectFrom('selections')
          .select((row) => row.fn.countAll<number>().as('count'))
          .where('event_id', '=', at.party.eventId)
          .executeTakeFirstOrThrow()
      ).count,
    );

  return { clock, vault, hooks, ask, choose, download, selectionCount };
}

interface Hooks {
  /** Runs before the store returns the size of a blob. */
  meanwhile?: ((key: string) => Promise<void>) | undefined;
  /** Runs before the store reads a blob. */
  reading?: (() => Promise<void>) | undefined;
  queries: number;
}

async function openHost(db: Db, hooks: Hooks) {
  const folder = mkdtempSync(join(RUN_FOLDER, 'feierbild-selections-'));
  const blobs = createFolderStore({ folder });
  const size: BlobStore['size'] = async (...asked) => {
    await hooks.meanwhile?.(asked[0]);
    return blobs.size(...asked);
  };
  const read: BlobStore['read'] = async function* (...asked) {
    await hooks.reading?.();
    yield* blobs.read(...asked);
  };
  const counted: Db['kysely'] = db.kysely.withPlugin({
    transformQuery: ({ node }) => {
      hooks.queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const app = wireApp({ db: { ...db, kysely: counted }, vault, clock, folder, wrapStore: () => ({ ...blobs, size, read }) });
  const { sessions, events, archive, selections } = app;
  /** Starts a session of an event's host; returns its cookie. */
  const logIn = async ({ eventId, keys }: Party): Promise<string> =>
    `feierbild_host=${(await db.transaction((trx) => sessions.start('user', eventId, keys, trx))).token}`;
  const party = await createParty({ db, blobs, vault }, 'Hochzeit Größe');
  const cookie = await logIn(party);
  const fastify = Fastify({ bodyLimit: 65_536 });
  translateErrors(fastify);
  refuseForeignOrigins(fastify, null);
  await fastify.register(fastifyCookie);
  archiveRoutes(createHttp(fastify, app.visitors), archive, selections, events);
  return { db, folder, blobs, archive, selections, party, fastify, cookie, logIn };
}
