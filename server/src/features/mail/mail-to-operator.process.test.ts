import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY, GB, MINUTE } from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import { backupCommands } from '../../cli/backup.ts';
import { enginesForRules, runSql } from '../../database/testing.ts';
import { Unavailable } from '../../lib/errors.ts';
import { noteBackup } from '../backup/backup.ts';
import { openApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { createDueMail } from './due.ts';
import { envFor, FEAST, useMail } from './testing/mail-client.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('mail on $name', (engine) => {
  const { clock, server, created, arrived, subjectsOn } = useMail(engine, decoder);

  it('tells the operator what needs attention, and nothing that strangers wrote', async () => {
    await created();
    await arrived();
    await server.app.reports.add(
      { event: 'Fest', photo: 'das am Buffet', reason: 'Klick http://boese.example', name: 'Gast Gerda', email: '' },
      '192.0.2.1',
    );
    const [report] = await arrived();
    expect(report).toMatchObject({ subject: 'Ein Foto wurde gemeldet', to: [{ address: 'feier@zelt.example' }] });
    expect(report?.raw).not.toMatch(/Gerda|Buffet|boese/);
    expect(report?.text).toContain('http://fotos.example/admin/meldungen');
    await noteBackup(server.app.db, { at: Date.parse('2026-05-13T02:00:00Z'), folder: '/backup', missing: 2 });
    await server.app.event({ ...FEAST, title: 'Voll', storage_limit: GB, used_bytes: 0.95 * GB });
    expect(await subjectsOn('2026-05-14')).toEqual(
      [
        'Die letzte Sicherung ist nicht aktuell',
        'Der Speicher wird knapp: „Voll“ (' +
          (await server.app.db.kysely.selectFrom('events').select('code').where('title', '=', 'Voll').executeTakeFirstOrThrow()).code +
          ')',
        'Ihr Event beginnt am 16. Mai 2026',
        'Noch keine Anmeldung: 2 Events beginnen bald',
      ].sort(),
    );
    clock.time = Date.parse('2026-05-18T08:00:00Z');
    await server.app.dueMail.write();
    const weekly = (await arrived()).find(({ subject }) => subject?.startsWith('Ihre Woche'));
    expect(weekly?.text).toContain('In den nächsten sieben Tagen beginnt kein Event.');
    expect(weekly?.text).toContain('am 13. Mai 2026 um 04:00 Uhr, ohne 2 Dateien, die der Fotospeicher nicht hergibt.');
    await server.app.keyAlarm.raise({ admin: 'frieda' });
    expect((await arrived()).map(({ subject }) => subject)).toEqual(['Alarm: In der Datenbank wurden Schlüssel verändert']);
  });

  it('tells the operator of a backup whose date is that of a clock that was ahead', async () => {
    await noteBackup(server.app.db, { at: Date.parse('2027-05-13T02:00:00Z'), folder: '/backup' });
    clock.time = Date.parse('2026-05-18T08:00:00Z');
    await server.app.dueMail.write();
    const mails = await arrived();
    for (const begin of ['Die letzte Sicherung ist nicht aktuell', 'Ihre Woche'])
      expect(mails.find(({ subject }) => subject?.startsWith(begin))?.text).toContain(
        '13. Mai 2027 um 04:00 Uhr (das liegt in der Zukunft: die Uhr ging vor)',
      );
  });

  it('tells the operator of reports twice an hour at most: of the first at once, and of all later ones when their hour is over', async () => {
    const report = (n: number) =>
      server.app.reports.add({ event: 'Fest', photo: 'das am Buffet', reason: 'so', name: '', email: '' }, `192.0.2.${n}`);
    const at = async (time: string) => {
      clock.time = Date.parse(`2026-05-14T${time}Z`);
      return (await arrived()).map(({ subject }) => subject);
    };
    const mail = ['Ein Foto wurde gemeldet'];
    await at('10:10:00');
    await report(1);
    expect(await at('10:10:01')).toEqual(mail);
    for (let n = 2; n < 30; n += 1) await report(n);
    expect(await at('10:59:59')).toEqual([]);
    expect(await at('11:00:30')).toEqual([]);
    await report(1);
    expect(await at('11:01:00')).toEqual([...mail, ...mail]);
    await report(2);
    expect(await at('12:00:59')).toEqual([]);
    expect(await at('12:01:00')).toEqual(mail);
    server.mailbox.answer = { code: 451, text: '4.7.1 Greylisting, bitte später' };
    await at('15:00:00');
    await report(1);
    expect(await at('15:00:01')).toEqual([]);
    await report(2);
    server.mailbox.answer = null;
    expect(await at('16:01:00')).toEqual([...mail, ...mail]);
    expect(await at('20:00:00')).toEqual([]);
    expect((await server.app.reports.list({}, 100)).open).toBe(33);
  });

  it('tells the operator once of a clock that leapt and of changed keys, however many nodes see it', async () => {
    const leaping = { up: 0, now: () => clock.time, monotonic: () => leaping.up, database: () => clock.time };
    const nodes = await Promise.all([1, 2].map(() => openApp({ db: server.app.db, decoder, clock: leaping, env: envFor(server.mailbox) })));
    for (const { retention } of nodes) await retention.run();
    clock.time += 9 * DAY;
    for (const node of [...nodes, ...nodes]) {
      await node.retention.run();
      await node.keyAlarm.raise({ admin: 'frieda' });
      clock.time += 10 * MINUTE;
    }
    expect((await arrived()).map(({ subject }) => subject).sort()).toEqual([
      'Alarm: In der Datenbank wurden Schlüssel verändert',
      'Die Uhr des Servers ist gesprungen',
    ]);
    for (const node of nodes) await node.close();
  });

  it('tells the operator once a week that the disk is nearly full', async () => {
    const health = () => ({
      now: clock.now(),
      read: { ...server.app.health.facts().read, disk: async () => ({ free: 2 * GB, folder: '/daten' }) },
    });
    const due = createDueMail({ ...server.app, clock, health });
    const told = async (): Promise<(string | undefined)[]> => {
      await due.write();
      return (await arrived()).filter(({ subject }) => subject?.includes('Speicher')).map(({ text }) => text?.split('\n')[0]);
    };
    const words = 'Festplatte des Servers: noch 2 GB frei. Ist der Platz aufgebraucht, werden Fotos abgelehnt.';
    expect(await told()).toEqual([words]);
    clock.time += DAY;
    expect(await told()).toEqual([]);
    clock.time += 7 * DAY;
    expect(await told()).toEqual([words]);
  });

  it('names each page that says what was not delivered in the week, and none where all was', async () => {
    const weekly = async (day: string): Promise<(string | undefined)[]> => {
      clock.time = Date.parse(`${day}T08:00:00Z`);
      await server.app.dueMail.write();
      const mail = (await arrived()).find(({ subject }) => subject?.startsWith('Ihre Woche'));
      return mail?.text?.split('\n').filter((line) => line.startsWith('Nicht zugestellt')) ?? [undefined];
    };
    expect(await weekly('2026-05-11')).toEqual([]);
    clock.time += DAY;
    for (const kind of ['mail', 'webhook', 'webhook'])
      await server.app.db.transaction((trx) => server.app.outbox.add(trx, { kind, topic: 'event.created', payload: {} }));
    await server.app.db.kysely.updateTable('outbox').set({ state: 'failed' }).where('state', '=', 'waiting').execute();
    expect(await weekly('2026-05-18')).toEqual([
      'Nicht zugestellt: 1 Mail; warum, steht in den Einstellungen unter „Mail“.',
      'Nicht zugestellt: 2 Nachrichten an Ihre Webhooks; warum, steht unter „Verbindungen“.',
    ]);
  });

  const backup = backupCommands.find(({ name }) => name === 'backup') as (typeof backupCommands)[number];
  const run = (folder: string, features: object = server.app) => {
    const operator = { config: server.app.config, features: async () => features, terminal: { print: () => undefined } };
    return backup.run({ args: [folder], options: new Map() }, operator as unknown as Parameters<typeof backup.run>[1]);
  };

  it('tells the operator in German what a backup lacked', async () => {
    const silent = new Unavailable('store', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    const features = { ...server.app, backup: { ...server.app.backup, take: () => Promise.reject(silent) } };
    await expect(run('/proc/nirgends', features)).rejects.toBe(silent);
    const [mail] = await arrived();
    expect(mail?.text).toContain('Der Fotospeicher antwortet nicht: dort nimmt niemand Verbindungen an (ECONNREFUSED). In /proc/nirgends');
  });

  it('tells the operator of a backup that fails, and what the folder has then', async () => {
    await expect(run('/proc/nirgends')).rejects.toThrow();
    const [first] = await arrived();
    expect(first).toMatchObject({ subject: 'Die Sicherung ist gescheitert', text: expect.stringContaining('gescheitert: ') });
    expect(first?.text).toContain('In /proc/nirgends ist keine vollständige Sicherung.');
    const folder = await mkdtemp(join(RUN_FOLDER, 'feierbild-backup-'));
    try {
      expect(await run(folder)).toBe(0);
      const orphan = { event_id: 'of no event', wrapped: Buffer.alloc(3) };
      if (engine.name === 'sqlite') await runSql(server.app.db, 'pragma foreign_keys = off');
      else await runSql(server.app.db, 'alter table host_keys drop constraint host_keys_event_id_fkey');
      await server.app.db.kysely.insertInto('host_keys').values(orphan).execute();
      clock.time += MINUTE;
      await expect(run(folder)).rejects.toThrow('Frühere Sicherungen sind unversehrt.');
      expect((await arrived()).at(-1)?.text).toContain(`Die neueste vollständige Sicherung in ${folder} ist vom 6. Mai 2026`);
      // The earlier backup is too old: even a backup that fails removes it.
      clock.time += 20 * DAY;
      await expect(run(folder)).rejects.toThrow('ließen sich nicht zurücklesen');
      const text = (await arrived()).at(-1)?.text;
      expect(text).toContain(`In ${folder} ist keine vollständige Sicherung.`);
      expect(text).not.toMatch(/unversehrt|ist noch da/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
