import type { PapersState } from '@feierbild/contract/calls/compliance.ts';
import { DAY, HOUR } from '@feierbild/contract/constants.ts';
import { LANGUAGE_NAMES } from '@feierbild/contract/languages.ts';
import { PAPERS, type PaperName } from '@feierbild/contract/paper-names.ts';
import type { Paper, PaperSettings } from '@feierbild/contract/papers.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandName } from '../../database/node-names.ts';
import { openSession } from '../../database/postgres.ts';
import { enginesForRules } from '../../database/testing.ts';
import { writeSetting } from '../../database/settings.ts';
import { ADMIN, logInAdmin } from '../accounts/testing.ts';
import { noteBackup } from '../backup/backup.ts';
import { createRetention, newReport } from '../retention/retention.ts';
import { openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { CHECKS, type CheckId } from './checks.ts';
import { createHealth, type HealthDeps } from '../health/facts.ts';
import { createCompliance, type Compliance } from './compliance.ts';

const COMPANY = { name: 'Dienst GmbH', address: 'Weg 1, 10115 Berlin', country: 'Deutschland' };
const FORM: PaperSettings = {
  contact: 'Frieda Beispiel',
  breachPhone: '030 1',
  breachHours: 24,
  objectionDays: 30,
  confidentiality: true,
  training: true,
  contracts: true,
  beneficiary: true,
  premises: true,
  processors: { storage: COMPANY, database: COMPANY, mail: COMPANY },
};
const TOLD = {
  secondFactor: true,
  mail: { host: 'mx.example', local: false, encrypted: true },
};

type Deps = HealthDeps & { settings: Pick<TestApp['settings'], 'get' | 'view' | 'save'> };
const complianceOf = (parts: Deps): Compliance => createCompliance({ ...parts, health: createHealth(parts) });

const ENGINES = enginesForRules();
const decoder = useDecoder(ENGINES);

describe.each(ENGINES)('the papers of data protection on $name', (engine) => {
  let app: TestApp;
  let parts: Deps;
  const cloud = (endpoint: string) => ({ ...parts.config, s3: { bucket: 'fotos', prefix: '', endpoint, region: 'eu' } });
  /** A bucket at an address where nothing listens. */
  const GONE = 'https://127.0.0.1:1';

  beforeEach(async () => {
    const db = await engine.open();
    app = await openApp({ db, decoder });
    await logInAdmin(app);
    await app.retention.run();
    await noteBackup(db, { at: Date.now(), folder: '/backup', oldest: Date.now() - 13 * DAY });
    await app.integrity.check();
    await app.settings.save('papers', 0, FORM, { username: ADMIN.username, address: '192.0.2.1' });
    await app.settings.view('papers');
    parts = {
      ...app,
      decoder: { ...app.decoder, isolationFault: null },
      config: { ...app.config, publicUrl: 'https://fotos.example' },
      installation: { ...app.installation, defaultBusiness: () => false },
      admins: { initialPasswordInUse: async () => false, list: async () => [] },
      told: () => TOLD,
    };
  });
  afterEach(() => app.close());

  const failing = ({ checks }: PapersState) => checks.filter(({ ok }) => !ok).map(({ id }) => id);
  /** On PostgreSQL the check `nodes` fails, as the tests run one node. */
  const alone = engine.name === 'postgres' ? ['nodes'] : [];
  const state = (changed: Partial<Deps> = {}) => complianceOf({ ...parts, ...changed }).state(ADMIN.username);
  const without = (name: keyof PaperSettings): Partial<Deps> => ({
    settings: { ...parts.settings, get: ((section: string) => (section === 'papers' ? { ...FORM, [name]: undefined } : null)) as never },
  });
  const business = (change: object): Partial<Deps> => {
    const before = parts.site.business();
    return { site: { business: () => ({ ...before, privacy: { ...before.privacy, ...change } }) } };
  };
  const also = (more: object): Partial<Deps> => ({ told: () => ({ ...parts.told?.(), ...more }) });

  /** Makes each check fail, in the system itself where possible. */
  const BREAK: Record<CheckId, () => Promise<Partial<Deps>> | Partial<Deps>> = {
    business: () => ({ installation: { ...app.installation, defaultBusiness: () => true } }),
    hosting: () => business({ hosting: undefined }),
    https: () => ({ config: { ...parts.config, publicUrl: 'http://fotos.example' } }),
    isolation: () => ({ decoder: { ...app.decoder, isolationFault: { cause: 'bwrap fehlt', remedy: 'Installieren Sie es' } } }),
    'first-password': () => ({ admins: app.admins }),
    'left-behind': () => ({ installation: { ...parts.installation, leftBehind: async () => ['/daten/photos'] } }),
    'second-factor': () => also({ secondFactor: false }),
    async keys() {
      const { id } = await app.event();
      await app.keyAlarm.raise({ eventId: id });
      return {};
    },
    async audit() {
      await app.db.kysely.deleteFrom('audit').execute();
      return {};
    },
    async addresses() {
      const at = Date.now() - 8 * DAY;
      const row = {
        id: '01900000-0000-7000-8000-000000000001',
        at,
        actor: 'system',
        action: 'event.created',
        event_id: null,
        event_code: null,
        account: null,
      };
      await app.db.kysely
        .insertInto('audit')
        .values({ ...row, address: '203.0.113.77' })
        .execute();
      return {};
    },
    log: () => ({ config: { ...parts.config, logLevel: 'debug' } }),
    async cleaning() {
      // After one more run with a failed step, only the run before it counts.
      await writeSetting(app.db, 'last_cleaning', String(Date.now() - 4 * HOUR));
      const failing = createRetention({ ...app, outbox: { forget: () => Promise.reject(new Error('outbox')) } });
      const report = newReport();
      expect([await failing.run(report), report.failures]).toEqual([true, 1]);
      return {};
    },
    async receipts() {
      const held = { event_id: 'e', event_code: 'K7MQ2XWA', photos: 1, videos: 0, bytes: 1 };
      await app.db.kysely
        .insertInto('receipts')
        .values({ ...held, begun_at: Date.now() - 2 * DAY })
        .execute();
      return {};
    },
    async backup() {
      await noteBackup(app.db, { at: Date.now() - 3 * DAY, folder: '/backup' });
      return {};
    },
    async 'old-backups'() {
      await noteBackup(app.db, { at: Date.now(), folder: '/backup', oldest: Date.now() - 15 * DAY });
      return {};
    },
    async history() {
      await app.db.kysely.deleteFrom('setting_versions').execute();
      return {};
    },
    async look() {
      await writeSetting(app.db, 'last_check', JSON.stringify({ at: Date.now(), findings: 2 }));
      return {};
    },
    database: () => ({ config: { ...parts.config, databaseUrl: 'postgres://user:top@secret@db.example:5432/feier' } }),
    store: () => ({ config: cloud('http://127.0.0.1:1') }),
    versions: () => ({ config: cloud(GONE) }),
    nodes: () => ({}),
    mail: () => also({ mail: { host: 'mx.example', local: false, encrypted: false } }),
    async webhooks() {
      const hook = { id: 'h', name: 'Haken', topics: 'event.created', secret: 's', created_at: 1, told_until: 1 };
      await app.db.kysely
        .insertInto('webhooks')
        .values({ ...hook, url: 'http://haken.example/', active: 1 })
        .execute();
      return {};
    },
    eea: () => business({ hosting: { name: 'Cloud Inc.', address: 'Main St', country: 'USA' } }),
    processors: () => ({
      ...without('processors'),
      config: { ...parts.config, databaseUrl: 'postgres://user:top@secret@db.example:5432/feier' },
    }),
    contracts: () => without('contracts'),
    beneficiary: () => without('beneficiary'),
    confidentiality: () => without('confidentiality'),
    training: () => without('training'),
    premises: () => without('premises'),
    contact: () => without('contact'),
    breach: () => without('breachHours'),
    objection: () => without('objectionDays'),
  };

  it('hold as a whole where all is well', async () => {
    expect(failing(await state())).toEqual(alone);
    for (const name of Object.keys(PAPERS) as PaperName[]) {
      const paper = await complianceOf(parts).paper(name, ADMIN.username);
      for (const { source } of paper.sections.flatMap(({ sentences }) => sentences)) expect(source).toMatch(/DSGVO|BFSG|\(EU\) 2021\/915/);
      expect([name, paper.missing]).toEqual([name, alone.length > 0 && ['avv', 'tom'].includes(name) ? 1 : 0]);
    }
  });

  const cases = (Object.keys(CHECKS) as CheckId[]).filter((id) => engine.name === 'postgres' || !['nodes', 'database'].includes(id));
  it.each(cases)('turn red where „%s“ fails, and say why', async (id) => {
    const changed = { ...parts, ...(await BREAK[id]()) };
    const compliance = complianceOf(changed);
    const answered = await compliance.state(ADMIN.username);
    expect(failing(answered)).toContain(id);
    const found = answered.checks.find((check) => check.id === id)?.found ?? '';
    expect(found).not.toBe('');
    expect(JSON.stringify(answered)).not.toContain('secret');
    const red: Paper['sections'][number]['sentences'] = [];
    for (const name of Object.keys(PAPERS) as PaperName[]) {
      const { sections, missing } = await compliance.paper(name, ADMIN.username);
      const ofPaper = sections.flatMap(({ sentences }) => sentences).filter(({ failed }) => failed.length > 0);
      expect(ofPaper).toHaveLength(missing);
      expect(JSON.stringify(sections)).not.toContain('secret');
      red.push(...ofPaper.filter(({ failed }) => failed.some((check) => check.id === id)));
    }
    expect(red.length).toBeGreaterThan(0);
    if (id === 'hosting') for (const { text } of red) expect(text).not.toContain('…');
  });

  it.skipIf(engine.name === 'sqlite')('say that several nodes serve while two are connected', async () => {
    const { url } = engine.location(app.db);
    {
      using _other = await openSession(url ?? '', 'zweiter');
      expect(failing(await state())).toEqual([]);
    }
    {
      // The session of a backup in another container does not count as a node.
      using _command = await openSession(url ?? '', commandName('dritter'));
      await expect.poll(async () => failing(await state())).toEqual(['nodes']);
    }
    await expect.poll(async () => failing(await state())).toEqual(['nodes']);
  });

  it('say what changed since the AVV that customers got, until the next one', async () => {
    const { compliance } = app;
    const first = await compliance.state(ADMIN.username);
    expect([first.issued, first.changes]).toEqual([null, []]);
    const by = { username: ADMIN.username, address: '192.0.2.1' };
    await expect(compliance.issue('0'.repeat(16), by)).rejects.toMatchObject({ code: 'settings_changed' });
    expect(await compliance.issue(first.hash, by)).toMatchObject({
      issued: { number: 1, hash: first.hash, by: ADMIN.username },
      changes: [],
    });
    expect((await compliance.paper('avv', ADMIN.username)).number).toBe(1);

    const moved = complianceOf({
      ...app,
      config: { ...app.config, s3: { bucket: 'fotos', prefix: '', endpoint: GONE, region: 'eu' } },
    });
    const changes = await moved.changes(ADMIN.username);
    expect(changes).toContainEqual({ about: 'Fotospeicher', before: 'Ordner auf dem Server', now: 'fotos bei 127.0.0.1:1 eu' });
    expect((await moved.paper('avv', ADMIN.username)).number).toBeNull();
    const { hash } = await moved.state(ADMIN.username);
    expect(await moved.issue(hash, by)).toMatchObject({ issued: { number: 2 }, changes: [] });
    expect((await compliance.changes(ADMIN.username)).map(({ about }) => about)).toContain('Fotospeicher');
  });

  it('change for customers where a period does, or how the operator is reached', async () => {
    const { compliance } = app;
    await compliance.issue((await compliance.state(ADMIN.username)).hash, { username: ADMIN.username, address: '192.0.2.1' });
    const issued = app.settings.get('issued')?.statements ?? {};
    // AVVs that were issued before tests proved these statements contain the same ones.
    expect(issued).toMatchObject({ 'Prüfung „Verschlüsselung“': 'erfüllt', 'Prüfung „Voreinstellungen“': 'erfüllt' });
    expect(issued).not.toHaveProperty('Prüfung „Geprüfte Seiten“');
    const told = { ...issued, 'Löschfrist der Fotos': '90 Tage', Kontakt: 'alt@example.org' };
    await app.settings.save('issued', 1, { hash: '', statements: told }, { username: ADMIN.username, address: '192.0.2.1' });
    await app.settings.view('issued');
    expect(await compliance.changes(ADMIN.username)).toEqual([
      { about: 'Kontakt', before: 'alt@example.org', now: issued.Kontakt },
      { about: 'Löschfrist der Fotos', before: '90 Tage', now: '30 Tage' },
    ]);
  });

  it('say at the door the same in each language of guests, on the same checks', async () => {
    const compliance = complianceOf(parts);
    const said = new Set<string>();
    const german = await compliance.paper('aushang', ADMIN.username);
    for (const language of LANGUAGE_NAMES) {
      const { sections, missing, hash } = await compliance.paper('aushang', ADMIN.username, language);
      const sentences = sections.flatMap((section) => section.sentences);
      expect([language, missing, hash]).toEqual([language, 0, german.hash]);
      expect(sentences.map(({ source }) => source)).toEqual(german.sections[0]?.sentences.map(({ source }) => source));
      for (const { text } of sentences) said.add(text);
      // Numbers of periods and articles must be the same in each language.
      const numbers = (text: string): string =>
        [...text.matchAll(/\d+/g)]
          .map(([number]) => number)
          .toSorted()
          .join(' ');
      const all = sentences.map(({ text }) => numbers(text));
      expect([language, all]).toEqual([language, german.sections[0]?.sentences.map(({ text }) => numbers(text))]);
    }
    expect(said.size).toBe(LANGUAGE_NAMES.length * (german.sections[0]?.sentences.length ?? 0));
    const unsafe = complianceOf({ ...parts, config: { ...parts.config, publicUrl: 'http://fotos.example' } });
    for (const language of LANGUAGE_NAMES) expect((await unsafe.paper('aushang', ADMIN.username, language)).missing).toBe(1);
  });

  it('know a webhook in the own house, and that a mail server of this machine hands on to another', async () => {
    const hook = { name: 'Haken', topics: 'event.created', secret: 's', created_at: 1, told_until: 1, active: 1 };
    const urls = ['http://192.168.0.9/', 'http://n8n:5678/', 'http://[fd00::1]/', 'http://buchung.lan/'];
    const rows = urls.map((url, n) => ({ ...hook, id: `h${n}`, url }));
    await app.db.kysely.insertInto('webhooks').values(rows).execute();
    expect(failing(await state())).not.toContain('webhooks');
    const local = also({ mail: { host: 'localhost', local: true, encrypted: false } });
    expect(failing(await state(local))).not.toContain('processors');
    const { processors: _, ...form } = FORM;
    expect(failing(await state({ ...also({ mail: { host: 'localhost', local: true, encrypted: false }, form }) }))).toContain('processors');
  });

  it('find the viewer in the audit log also after a changed password, which begins a session', async () => {
    await app.db.kysely
      .updateTable('audit')
      .set({ at: Date.now() - 8 * DAY })
      .execute();
    expect(failing(await state())).toContain('audit');
    await app.admins.changePassword(
      ADMIN.username,
      { current: ADMIN.password, next: 'neun gelbe Lampions im Hof' },
      { address: '192.0.2.1' },
    );
    expect(failing(await state())).not.toContain('audit');
  });

  it('decide what the pages for everybody say of the installation', async () => {
    const said = async (changed: Partial<Deps> = {}) => {
      const compliance = complianceOf({ ...parts, ...changed });
      expect(compliance.said()).toEqual({ https: false, eea: false, backups: false });
      await compliance.lookAtSaid();
      return compliance.said();
    };
    expect(await said()).toMatchObject({ https: true, eea: true });
    expect(await said({ config: { ...parts.config, publicUrl: 'http://fotos.example' } })).toMatchObject({ https: false });
    expect(await said(business({ hosting: { name: 'Cloud Inc.', address: 'Main St', country: 'USA' } }))).toMatchObject({ eea: false });
    expect(await said({ backup: { last: async () => null } })).toMatchObject({ backups: false });
    expect(await said()).not.toHaveProperty('keepers');
    const store = { host: 's3.example', bucket: 'fotos', region: '', https: true };
    const company = { name: 'Speicher AG', address: 'Weg 1', country: 'Schweden' };
    const form = { ...FORM, processors: { storage: company } };
    const { name, country } = company;
    expect(await said(also({ store, form }))).toMatchObject({ keepers: [{ what: 'Fotospeicher', name, country }] });
  });

  it('are for administrators alone, but for the page on accessibility, which asks nobody', async () => {
    for (const path of ['/admin/papers', '/admin/papers/avv', '/admin/receipts']) expect((await fetch(app.url + path)).status).toBe(401);
    await app.db.close();
    const answer = await fetch(`${app.url}/api/accessibility`);
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as Paper).sections.length).toBeGreaterThan(2);
  });
});
