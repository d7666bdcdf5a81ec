import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import { PHOTOS_PER_PAGE_MAX } from '@feierbild/contract/constants.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canDamageDisk, damage, damageDisk } from '../server/src/testing/bad-disk.ts';
import { canMount } from '../server/src/testing/system.ts';
import { adminOf, createEvent, deviceOf, hostOf, upload, type EventUnderTest } from './support/api.ts';
import { cli, runScript, startCli } from './support/cli.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';
import { sha256 } from './support/sha256.ts';
import { tusDevice } from './support/tus.ts';

const onDamagedDisk = canDamageDisk('commands on a damaged file system');

describe("the operator's commands, while the server runs", () => {
  let server: TestServer;
  let event: EventUnderTest;
  let device: string;
  let seed = 0;
  const add = async (to = event): Promise<string> => {
    const response = await upload({ url: server.url, code: to.code, device, file: await drawPhoto(seed++, 300, 200) });
    expect(response.status).toBe(201);
    return ((await response.json()) as { photo: { id: string } }).photo.id;
  };

  beforeAll(async () => {
    server = await startServer();
    event = await createEvent(await adminOf(server.url));
    device = await deviceOf(server.url);
    for (let n = 0; n < 3; n++) await add();
  });
  afterAll(() => server?.dispose());

  describe('verify', () => {
    it('says that all is well while photos come', async () => {
      let running = true;
      const send = async (): Promise<void> => {
        while (running) await add();
      };
      const check = async (): Promise<void> => {
        const found = await cli(server, ['verify']);
        running = false;
        expect(found).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(/^\d+ Fotos mit \d+ Dateien geprüft: alles in Ordnung\.\n$/),
        });
      };
      await Promise.all([send(), send(), check()]);
    });

    it("opens every byte with the host's password only", async () => {
      const opened = await cli(server, ['verify', '--event', event.code], [event.host.password]);
      expect(opened).toMatchObject({ code: 0, stderr: '' });
      const refused = await cli(server, ['verify', '--event', event.code], ['ABCD-EFGH-JKMN-PQRS']);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toBe('Der Code des Events oder das Passwort des Gastgebers stimmt nicht.\n');
      expect((await cli(server, ['verify', '--alles'])).code).toBe(64);
    });

    it('names what is missing and ends with 1', async () => {
      const admin = await adminOf(server.url);
      const damaged = await createEvent(admin);
      const id = await add(damaged);
      const folder = join(server.dataDir, 'photos/events', damaged.id);
      for (const name of await readdir(folder)) if (name === `${id}.thumbnail`) await rm(join(folder, name));
      const { code, stdout } = await cli(server, ['verify']);
      expect([code, stdout.split('\n')[0]]).toEqual([1, `Foto ${id}: Miniatur fehlt`]);
      await admin.json('DELETE', `/admin/events/${damaged.id}`);
    });
  });

  describe('photo delete and audit', () => {
    it('removes a photo with its bytes, its link and the ZIP, after a „ja“ or with --yes, and leaves a trace', async () => {
      const party = await createEvent(await adminOf(server.url));
      const [id, other] = [await add(party), await add(party)];
      const host = await hostOf(server.url, party);
      const link = await host.json<{ download_url: string }>('POST', `/api/photos/${id}/link`, {}, 201);
      await host.json('POST', `/api/events/${party.code}/create-zip`, {}, 202);
      const zip = (): Promise<{ status: string }> => host.json('GET', `/api/events/${party.code}/zip-progress`);
      await expect.poll(async () => (await zip()).status).toBe('complete');

      const kept = await cli(server, ['photo', 'delete', id], ['nein']);
      expect([kept.code, kept.stderr]).toEqual([1, 'Nichts wurde gelöscht.\n']);
      expect((await host.request(`/api/photos/${id}/thumbnail`)).status).toBe(200);
      const gone = await cli(server, ['photo', 'delete', id], ['ja']);
      expect(gone).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`Foto ${id} aus dem Event ${party.code}, empfangen am `),
      });
      expect((await host.request(`/api/photos/${id}/download`)).status).toBe(404);
      expect((await fetch(`${server.url}/api/photos/temp_download/${link.download_url.split('/').at(-1)}`)).status).toBe(410);
      expect((await zip()).status).toBe('idle');
      const left = await readdir(join(server.dataDir, 'photos/events', party.id));
      expect(left.filter((name) => name.startsWith(id))).toEqual([]);

      expect((await cli(server, ['photo', 'delete', other, '--yes'])).code).toBe(0);
      const again = await cli(server, ['photo', 'delete', other, '--yes']);
      expect([again.code, again.stderr]).toEqual([1, 'Ein Foto mit dieser Id gibt es nicht (mehr).\n']);
    });

    it('lists the photos of an event, by which one can be found and deleted', async () => {
      const party = await createEvent(await adminOf(server.url));
      const bytes = await drawPhoto(seed++, 300, 200);
      const sent = [await add(party)];
      const other = await upload({
        url: server.url,
        code: party.code,
        device: await deviceOf(server.url),
        deviceName: 'Rosalinde',
        file: bytes,
      });
      sent.push(((await other.json()) as { photo: { id: string } }).photo.id, await add(party));
      const { code, stdout } = await cli(server, ['photo', 'list', '--event', party.code.toLowerCase()]);
      const lines = stdout.trim().split('\n');
      expect([code, lines.map((line) => line.split('  ')[0])]).toEqual([0, sent]);
      expect(lines.map((line) => line.split('  ')[2])).toEqual(['Gast 1', 'Gast 2', 'Gast 1']);
      for (const line of lines) expect(line).toMatch(/^\S{36} {2}\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d {2}Gast \d {2}\d+(,\d)? MB$/);
      expect((await cli(server, ['photo', 'list', '--event', 'ZZZZZZZZ'])).code).toBe(1);
    });

    it('shows open uploads and ends them, one or all of an event', async () => {
      const party = await createEvent(await adminOf(server.url));
      const tus = tusDevice(await deviceOf(server.url));
      const urls: string[] = [];
      for (let n = 0; n < 3; n++) {
        const url = server.url + (await tus.create(server.url, party.code, 300_000)).headers.get('location');
        expect((await tus.append(url, 0, Buffer.alloc(100_000))).status).toBe(204);
        urls.push(url);
      }
      const { stdout } = await cli(server, ['uploads', 'list']);
      const lines = stdout
        .trim()
        .split('\n')
        .filter((line) => line.includes(party.code));
      expect(lines).toHaveLength(3);
      for (const line of lines)
        expect(line).toMatch(/^\S{36} {2}\w{8} {2}Gerät 1 {2}0,1 MB von 0,3 MB {2}\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d$/);
      const left = async () => (await Promise.all(urls.map((url) => tus.offset(url)))).filter((offset) => offset !== null).length;
      expect((await cli(server, ['uploads', 'end', lines[0]!.split('  ')[0]!])).code).toBe(0);
      expect(await left()).toBe(2);
      expect((await cli(server, ['uploads', 'end', party.code.toLowerCase()])).stdout.trim()).toBe('2 Übertragungen beendet.');
      expect(await left()).toBe(0);
      expect((await cli(server, ['uploads', 'end', party.code])).code).toBe(1);
    });

    it('shows who did what, the newest last, of one event and since a day', async () => {
      const today = berlinDay(Date.now()).split('-').toReversed().join('.');
      const party = await createEvent(await adminOf(server.url));
      await hostOf(server.url, party);
      expect((await cli(server, ['photo', 'delete', await add(party), '--yes'])).code).toBe(0);
      const { code, stdout } = await cli(server, ['audit', '--event', party.code.toLowerCase(), '--since', today]);
      const lines = stdout.trim().split('\n');
      expect([code, lines.length]).toEqual([0, 4]);
      expect(lines.map((line) => line.split('  ').slice(1, 4).join(' '))).toEqual([
        `admin:admin Event angelegt ${party.code}`,
        `admin:admin Gastgeber-Zugang angelegt ${party.code}`,
        `host Gastgeber angemeldet ${party.code}`,
        `cli Foto gelöscht ${party.code}`,
      ]);
      const none = { code: 0, stdout: 'Dazu ist nichts verzeichnet.\n' };
      for (const asked of [
        ['--since', '2999-01-01'],
        ['--event', 'VERTIPPT'],
      ])
        expect(await cli(server, ['audit', ...asked])).toMatchObject(none);
      for (const day of ['gestern', '2026-02-31']) {
        const refused = await cli(server, ['audit', '--since', day]);
        expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining(`„${day}“ ist kein Tag wie 17.05.2026.`)]);
      }
    });
  });

  describe('settings', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'feierbild-settings-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it.each([
      'verify',
      'backup sicherung',
      'maintain',
      'audit',
      'admin list',
      'admin add neu',
      'photo delete 0198c0de-0000-7000-8000-000000000000 --yes',
    ])('that lead to where no data is are refused by %s, which makes nothing there', async (command) => {
      const dataDir = join(folder, 'leer');
      const args = command.split(' ').map((word) => (word === 'sicherung' ? join(folder, word) : word));
      const refused = await cli({ ...server, dataDir }, args);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain(`Im Ordner „${dataDir}“ (DATA_DIR) hat Feierbild noch keine Daten`);
      expect([existsSync(dataDir), existsSync(join(folder, 'sicherung'))]).toEqual([false, false]);
    });

    it('that lead to where no data is are named by doctor', async () => {
      const dataDir = join(folder, 'untersucht');
      const { code, stdout } = await cli({ ...server, dataDir }, ['doctor']);
      expect([code, stdout]).toEqual([1, expect.stringContaining(`Fehler   Datenbank: Im Ordner „${dataDir}“ (DATA_DIR) hat`)]);
      expect(await readdir(dataDir)).toEqual([]);
    });

    it('stand in one file for the service and for each command, from wherever it is called', async () => {
      const file = join(folder, 'feierbild.env');
      await writeFile(file, `# Einstellungen\nDATA_DIR="${server.dataDir}"\nLOG_LEVEL=warn\n`);
      const call = (env: Record<string, string>) =>
        runScript('tools/cli.mjs', ['admin', 'list'], { cwd: folder, env: { SETTINGS_FILE: file, ...env } });
      expect(await call({})).toMatchObject({ code: 0, stdout: expect.stringContaining('admin  (seit ') });
      await writeFile(join(folder, 'falsch.env'), 'PORT=keiner\n');
      const service = await runScript('tools/start.mjs', [], { cwd: folder, env: { SETTINGS_FILE: join(folder, 'falsch.env') } });
      expect([service.code, service.stderr]).toEqual([78, expect.stringMatching(/^PORT: /)]);
      // A command's words mean files where it is called.
      await writeFile(join(folder, 'beleg.json'), '{}');
      const verified = await runScript('tools/cli.mjs', ['receipt', 'verify', 'beleg.json'], { cwd: folder, env: { SETTINGS_FILE: file } });
      expect(verified).toMatchObject({ code: 1, stderr: 'beleg.json ist kein Löschprotokoll.\n' });
      // The environment overrides the file.
      expect(await call({ DATA_DIR: join(folder, 'leer') })).toMatchObject({ code: 1, stdout: '' });
      const missing = join(folder, 'fehlt.env');
      const refused = await call({ SETTINGS_FILE: missing });
      expect(refused).toMatchObject({ code: 78, stdout: '', stderr: `SETTINGS_FILE: Die Datei ${missing} gibt es nicht.\n` });
    });
  });

  describe('backup and restore', () => {
    let folder: string;
    let party: EventUnderTest;
    const sent = new Map<string, string>();
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'feierbild-backup-'));
      party = await createEvent(await adminOf(server.url));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it('goes neither into the photos’ own folder, by any path, nor to where no folder can be made', async () => {
      const photos = join(server.dataDir, 'photos');
      await symlink(photos, join(folder, 'link'));
      for (const place of [
        server.dataDir,
        photos,
        join(photos, 'sicherung'),
        join(folder, 'link/sicherung'),
        join(server.dataDir, 'staging'),
      ]) {
        const refused = await cli(server, ['backup', place]);
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('liegen die Fotos des Dienstes.')]);
      }
      expect((await cli(server, ['backup', '/proc/sicherung'])).stderr).toMatch(
        /^Der Ordner \/proc\/sicherung lässt sich nicht anlegen \(ENOENT\)\.$/m,
      );
      const file = join(folder, 'datei');
      await writeFile(file, '');
      expect((await cli(server, ['backup', file])).stderr).toContain(`In den Ordner ${file} lässt sich nicht schreiben.`);
    });

    const send = async (): Promise<void> => {
      const file = await drawPhoto(seed++, 300, 200);
      const response = await upload({ url: server.url, code: party.code, device, file });
      expect(response.status).toBe(201);
      sent.set(((await response.json()) as { photo: { id: string } }).photo.id, sha256(file));
    };
    /** Restores into a fresh folder, starts a server there, and compares each photo as its host sees it. Returns their number. */
    const restoredPhotos = async (): Promise<number> => {
      const dataDir = await mkdtemp(join(tmpdir(), 'feierbild-restored-'));
      const restored = await cli({ ...server, dataDir }, ['restore', folder]);
      expect(restored).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('alles in Ordnung') });
      const there = await startServer({ DATA_DIR: dataDir });
      try {
        const host = await hostOf(there.url, party);
        const photos: { id: string }[] = [];
        // The slower a backup, the more were sent meanwhile.
        for (let page = 1; photos.length === (page - 1) * PHOTOS_PER_PAGE_MAX; page++) {
          const path = `/api/events/${party.code}/photos?per_page=${PHOTOS_PER_PAGE_MAX}&page=${page}`;
          photos.push(...(await host.json<{ photos: { id: string }[] }>('GET', path)).photos);
        }
        for (const { id } of photos) {
          const bytes = Buffer.from(await (await host.request(`/api/photos/${id}/download`)).arrayBuffer());
          expect(sha256(bytes)).toBe(sent.get(id));
        }
        const again = await cli({ ...server, dataDir }, ['restore', folder]);
        expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Beenden Sie zuerst den Dienst.')]);
        return photos.length;
      } finally {
        await there.dispose();
      }
    };

    it('names a photo that the disk does not give, goes on with all others, and is not called complete', async () => {
      const there = await startServer();
      const into = await mkdtemp(join(tmpdir(), 'feierbild-backup-'));
      try {
        const feast = await createEvent(await adminOf(there.url));
        const sender = await deviceOf(there.url);
        const ids: string[] = [];
        for (let n = 0; n < 3; n++) {
          const response = await upload({ url: there.url, code: feast.code, device: sender, file: await drawPhoto(seed++, 300, 200) });
          ids.push(((await response.json()) as { photo: { id: string } }).photo.id);
        }
        const events = join(there.dataDir, 'photos/events');
        const [eventId = ''] = await readdir(events);
        damage(join(events, eventId, `${ids[1]}.original`));
        const saved = await cli(there, ['backup', into]);
        expect(saved).toMatchObject({ code: 1, stderr: '', stdout: expect.stringMatching(/^Sicherung \S+: 3 Fotos, /) });
        expect(saved.stdout).toContain(
          `Datei events/${eventId}/${ids[1]}.original: fehlt im Fotospeicher, ist unvollständig oder nicht lesbar\n`,
        );
        expect((await cli(there, ['doctor', into])).stdout).toMatch(/Fehler +Sicherung: Die neueste, in .*, und ihr fehlt 1 Datei\./);
        const opened = await cli(there, ['verify', '--event', feast.code], [feast.host.password]);
        expect([opened.code, opened.stderr]).toEqual([1, '']);
        expect(opened.stdout).toContain(`Foto ${ids[1]}: Original lässt sich nicht lesen\n`);
        expect(opened.stdout).toContain('3 Fotos mit ');
        const originals = (await readdir(join(into, 'blobs/events', eventId))).filter((name) => name.endsWith('.original'));
        expect(originals.sort()).toEqual([ids[0], ids[2]].map((id) => `${id}.original`).sort());
      } finally {
        await there.dispose();
        await rm(into, { recursive: true, force: true });
      }
    });

    it.skipIf(!onDamagedDisk)(
      'names the folder that a disk does not list, goes on with all others, and is not called complete',
      async () => {
        const there = await startServer();
        const into = await mkdtemp(join(tmpdir(), 'feierbild-backup-'));
        const admin = await adminOf(there.url);
        const [lost, whole] = [await createEvent(admin), await createEvent(admin)];
        const sender = await deviceOf(there.url);
        for (const { code } of [lost, whole])
          await upload({ url: there.url, code, device: sender, file: await drawPhoto(seed++, 300, 200) });
        const mends = [damageDisk(join(there.dataDir, 'photos/events'), [lost.id])];
        try {
          const verified = await cli(there, ['verify']);
          expect([verified.code, verified.stderr]).toEqual([1, '']);
          expect(verified.stdout).toContain(`Ordner events/${lost.id}/: lässt sich nicht lesen\n`);
          expect(verified.stdout).not.toContain(whole.id);
          expect(await cli(there, ['maintain'])).toMatchObject({ code: 1, stderr: expect.stringContaining('1-mal ist etwas misslungen') });
          await mkdir(join(into, 'blobs/events/alt'), { recursive: true });
          mends.push(damageDisk(join(into, 'blobs'), ['events/alt']));
          const saved = await cli(there, ['backup', into]);
          expect(saved).toMatchObject({ code: 1, stderr: '', stdout: expect.stringMatching(/^Sicherung \S+: 2 Fotos, /) });
          expect(saved.stdout).toContain('In der Sicherung lässt sich blobs/events/alt/ nicht lesen; was dort zu alt ist, bleibt.\n');
          expect(saved.stdout).toMatch(new RegExp(`Datei events/${lost.id}/\\S+\\.original: fehlt im Fotospeicher`));
          expect(await readdir(join(into, 'blobs/events'))).toContain(whole.id);
        } finally {
          for (const mend of mends) mend();
          await there.dispose();
          await rm(into, { recursive: true, force: true });
        }
      },
    );

    it('saves while photos come; elsewhere the host logs in and has each photo, byte for byte', async () => {
      for (let n = 0; n < 5; n++) await send();
      let running = true;
      const keepSending = async (): Promise<void> => {
        while (running) await send();
      };
      const save = async (): Promise<void> => {
        const saved = await cli(server, ['backup', folder]);
        running = false;
        expect(saved).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Sicherung \S+: \d+ Fotos, /) });
      };
      const admin = await adminOf(server.url);
      const lastBackup = async () => (await admin.json<{ last_backup_at: string | null }>('GET', '/admin/status')).last_backup_at;
      expect(await lastBackup()).toBeNull();
      const begun = Date.now();
      await Promise.all([keepSending(), save()]);
      expect(Date.parse((await lastBackup()) ?? '')).toBeGreaterThanOrEqual(begun);
      expect(await restoredPhotos()).toBeGreaterThanOrEqual(5);
    });

    it.runIf(canMount('a backup on a disk that is mounted read-only'))('is read from a disk that is mounted read-only', async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'feierbild-restored-'));
      const mount = (...args: string[]): void => void execFileSync('mount', [...args, folder]);
      mount('--bind', folder);
      try {
        mount('-o', 'remount,bind,ro');
        const restored = await cli({ ...server, dataDir }, ['restore', folder]);
        expect(restored).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('alles in Ordnung') });
      } finally {
        execFileSync('umount', [folder]);
        await rm(dataDir, { recursive: true, force: true });
      }
    });

    it('leaves the last one usable when it is killed, and goes on with the next', async () => {
      await send();
      expect((await cli(server, ['backup', folder])).code).toBe(0);
      /** Kills a backup at its beginning. Returns its snapshot; null if it was complete, as on a machine that holds up this test alone. */
      const killOne = async (): Promise<string | null> => {
        const before = await readdir(join(folder, 'snapshots'));
        await Promise.all(Array.from({ length: 40 }, send));
        const { child, ended } = startCli(server, ['backup', folder]);
        // A new snapshot exists while it is still copied: 40 photos take longer than the interval of this poll.
        await expect.poll(() => readdir(join(folder, 'snapshots')), { interval: 1 }).not.toHaveLength(before.length);
        child.kill('SIGKILL');
        await ended;
        const [made = ''] = (await readdir(join(folder, 'snapshots'))).filter((name) => !before.includes(name));
        return existsSync(join(folder, 'snapshots', made, 'manifest.json')) ? null : made;
      };
      let killed: string | null = null;
      for (let round = 0; killed === null && round < 5; round++) killed = await killOne();
      if (killed === null) throw new Error('each backup was complete before it was killed');
      const photos = await restoredPhotos();
      expect(photos).toBeLessThan(sent.size);
      expect((await cli(server, ['backup', folder])).code).toBe(0);
      expect(existsSync(join(folder, 'snapshots', killed))).toBe(false);
      expect(await restoredPhotos()).toBe(sent.size);
    });
  });
});
