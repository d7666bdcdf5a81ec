import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DAY } from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../database/open.ts';
import { COUNTED } from '../../database/photo-states.ts';
import { engines, enginesForRules } from '../../database/testing.ts';
import { photoBlob } from '../../storage/blob-store.ts';
import { createStaging } from '../../storage/staging.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { canDamageDisk, damage, damageDisk } from '../../testing/bad-disk.ts';
import { createParty, type Party } from '../archive/testing/party.ts';
import { openPortless, type PortlessApp } from '../testing.ts';
import { createBackup, type Backup } from './backup.ts';
import { useBackups } from './testing.ts';
import { runsKind } from '../../testing/kinds.ts';

const CLI = join(import.meta.dirname, '../../cli.ts');
const OTHER = 'Die Sicherung stammt aus einer anderen Fassung von Feierbild: mit jener wiederherstellen, dann aktualisieren.';
const DONE =
  'Die Datenbank enthält schon Events. Wiederhergestellt wird nur in eine leere. Wurde eine Wiederherstellung eben unterbrochen, ist sie trotzdem fertig: „verify“ prüft es.';
const PHOTOS = 60;
/** Number of entries in the audit log; their restore takes seconds. */
const ENTRIES = 60_000;
/** Size of SQLite's write-ahead log that proves that rows are being written, bytes; the schema alone takes less. */
const LOG_OF_ROWS = 2_000_000;
const entries = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => {
    return {
      id: uuidv7(first + n),
      at: first + n,
      actor: 'system',
      action: 'event.purged',
      event_id: null,
      event_code: null,
      account: null,
      address: null,
    };
  });
const { vault, freshFolder, elsewhere } = useBackups();
const onDamagedDisk = canDamageDisk('a damaged file system');
const forRules = enginesForRules().map(({ name }) => name);

describe.each(engines())('a restore to $name', (engine) => {
  /** A test whose outcome depends on the backup's files alone: `npm test` without the system's tests runs it on SQLite. */
  const rule = it.runIf(forRules.includes(engine.name));
  let app: PortlessApp;
  let party: Party;
  let folder: string;
  let backup: Backup;
  let now: number;

  beforeEach(async () => {
    app = await openPortless({ db: await engine.open() });
    party = await createParty(app, 'Fest');
    folder = await freshFolder();
    now = Date.now();
    const staging = createStaging({ folder: join(folder, 'unused') });
    backup = createBackup({ db: app.db, blobs: app.blobs, staging, vault, clock: { now: () => now } });
  });
  afterEach(() => app.close());

  async function add(bytes = 500): Promise<void> {
    const id = await party.add(randomBytes(bytes));
    await app.blobs.put(photoBlob(party.eventId, id, 'thumbnail'), randomBytes(vault.sealedSize(1)));
    await app.db.kysely.updateTable('events').set(COUNTED).execute();
  }
  async function take(): Promise<string> {
    now += DAY;
    return (await backup.take(folder)).snapshot;
  }
  const fileOf = (snapshot: string, name: string): string => join(folder, 'snapshots', snapshot, name);
  async function changeMigrations(snapshot: string, change: (names: string[]) => string[]): Promise<void> {
    const manifest = JSON.parse(await readFile(fileOf(snapshot, 'manifest.json'), 'utf8'));
    await writeFile(fileOf(snapshot, 'manifest.json'), JSON.stringify({ ...manifest, migrations: change(manifest.migrations) }));
  }
  /** Creates another installation's folder and settings. */
  async function place() {
    const dataDir = await freshFolder();
    const db = await engine.open();
    const { url } = engine.location(db);
    return { db, dataDir, env: { ...process.env, DATA_DIR: dataDir, DEMO: 'off', ...(url && { DATABASE_URL: url }) } };
  }
  const restore = (env: NodeJS.ProcessEnv) =>
    promisify(execFile)(process.execPath, [CLI, 'restore', folder], { env }).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
    );

  rule.each([
    ['an older', (names: string[]) => names.slice(0, -1)],
    ['a newer', (names: string[]) => [...names, '9999-later']],
  ])('refuses what %s version has saved, and leaves nothing where that one is to restore it', async (_, change) => {
    await add();
    await changeMigrations(await take(), change);
    const there = await elsewhere(await engine.open());
    await expect(there.backup.restore(folder)).rejects.toThrow(OTHER);
    expect(await there.integrity.check()).toEqual({ photos: 0, blobs: 0, findings: [] });
  });

  rule('says so, and leaves no file, by the command, too', async () => {
    await add();
    await changeMigrations(await take(), (names) => names.slice(0, -1));
    const { dataDir, env } = await place();
    expect(await restore(env)).toEqual({ code: 1, said: expect.stringContaining(OTHER) });
    expect(existsSync(dataDir) ? await readdir(dataDir) : []).toEqual([]);
  });

  rule.each([
    ['manifest.json', 'changed', (path: string) => appendFileSync(path, 'x')],
    ['blobs.jsonl', 'changed', (path: string) => appendFileSync(path, 'x')],
    ['manifest.json', 'not to be read', damage],
    ['blobs.jsonl', 'not to be read', damage],
  ])('takes a whole state, though the %s of an older one is %s', async (name, _how, befall) => {
    await add();
    const older = await take();
    await add();
    const newest = await take();
    befall(fileOf(older, name));
    const there = await elsewhere(await engine.open());
    await expect(there.backup.restore(folder, older)).rejects.toThrow(`Der Stand ${older} ist beschädigt.`);
    expect(await there.backup.restore(folder)).toMatchObject({ snapshot: newest, photos: 2, damaged: [] });
    expect((await there.integrity.check()).findings).toEqual([]);
  });

  it.runIf(onDamagedDisk && forRules.includes(engine.name))(
    'goes into no photo store of which a folder cannot be read, as that may have photos',
    async () => {
      await add();
      await take();
      const there = await elsewhere(await engine.open());
      await there.blobs.put('events/a/b.original', Buffer.alloc(3));
      const photos = join(there.folder, 'photos/events');
      const mend = damageDisk(photos, ['a']);
      try {
        await expect(there.backup.restore(folder)).rejects.toThrow('Im Fotospeicher lässt sich events/a/ nicht lesen.');
      } finally {
        mend();
      }
      expect(await readdir(join(photos, 'a'))).toEqual(['b.original']);
      expect(await there.db.kysely.selectFrom('events').select('id').execute()).toEqual([]);
    },
  );

  rule('takes no older state by itself where the newest is damaged', async () => {
    await add();
    await take();
    const newest = await take();
    await appendFile(fileOf(newest, 'manifest.json'), 'x');
    const there = await elsewhere(await engine.open());
    await expect(there.backup.restore(folder)).rejects.toThrow(`Der Stand ${newest} ist beschädigt.`);
    expect(await there.integrity.check()).toEqual({ photos: 0, blobs: 0, findings: [] });
  });

  rule('that was killed while it copied is begun again, and brings all', async () => {
    for (let n = 0; n < PHOTOS; n++) await add(300_000);
    await take();
    const { dataDir, env } = await place();
    const blobs = async (): Promise<number> => {
      const names = await readdir(join(dataDir, 'photos'), { recursive: true }).catch(() => []);
      return names.filter((name) => name.endsWith('.original')).length;
    };
    for (const copied of runsKind('system') ? [1, PHOTOS / 4] : [PHOTOS / 4]) {
      const child = spawn(process.execPath, [CLI, 'restore', folder], { env, stdio: 'ignore' });
      const ended = new Promise((resolve) => child.on('close', resolve));
      await expect.poll(blobs, { interval: 1, timeout: 60_000 }).toBeGreaterThanOrEqual(copied);
      child.kill('SIGKILL');
      await ended;
    }
    expect(await restore(env)).toEqual({ code: 0, said: expect.stringContaining('alles in Ordnung') });
    expect(await blobs()).toBe(PHOTOS);
    expect(await readdir(join(dataDir, 'staging')).catch(() => [])).toEqual([]);
  });

  rule('that was killed while it wrote its rows is begun again, and one that was killed behind them says that it is done', async () => {
    await add();
    await app.db.transaction(async (trx) => {
      for (let id = 0; id < ENTRIES; id += 1000) await trx.insertInto('audit').values(entries(id, 1000)).execute();
    });
    await take();
    const { db, dataDir, env } = await place();
    const isWriting = async (): Promise<boolean> => {
      if (!env.DATABASE_URL) return ((await stat(join(dataDir, 'feierbild.sqlite-wal')).catch(() => null))?.size ?? 0) > LOG_OF_ROWS;
      const { rows } = await sql`select 1 from pg_stat_activity where query like 'insert into "audit"%'`.execute(db.kysely);
      return rows.length > 0;
    };
    const killed = async (when: () => Promise<boolean>): Promise<void> => {
      const child = spawn(process.execPath, [CLI, 'restore', folder], { env, stdio: 'ignore' });
      const ended = new Promise((resolve) => child.on('close', resolve));
      await expect.poll(when, { interval: 1, timeout: 60_000 }).toBe(true);
      child.kill('SIGKILL');
      await ended;
    };
    await killed(isWriting);
    expect(await restore(env)).toEqual({ code: 0, said: expect.stringContaining('alles in Ordnung') });
    const again = env.DATABASE_URL ? db : await openDatabase({ url: null, file: join(dataDir, 'feierbild.sqlite') }, { schema: 'require' });
    const { n } = await again.kysely
      .selectFrom('audit')
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow();
    expect(Number(n)).toBe(ENTRIES);
    await expect((await elsewhere(again)).backup.restore(folder)).rejects.toThrow(DONE);
    await again.close();
  });
});
