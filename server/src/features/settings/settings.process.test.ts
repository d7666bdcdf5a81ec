import { PLAIN_EVENT } from '@feierbild/contract/event-templates.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SectionState } from '@feierbild/contract/calls/settings.ts';
import { enginesForRules, runSql } from '../../database/testing.ts';
import { ADMIN, logInAdmin } from '../accounts/testing.ts';
import { openApp, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { createSettings } from './settings.ts';

const MINIMAL = {
  identity: { brand: 'Zeltverleih Süd', street: 'Gasse 1', zip: '80331', city: 'München' },
  contact: { email: 'hallo@zelt.example' },
};

const ENGINES = enginesForRules();
const decoder = useDecoder(ENGINES);

describe.each(ENGINES)('settings on $name', (engine) => {
  let app: TestApp;
  /** Another node on the same database. */
  let other: TestApp;
  let admin: Headers;

  beforeEach(async () => {
    const db = await engine.open();
    app = await openApp({ db, decoder });
    other = await openApp({ db: await engine.again(db), decoder });
    admin = await logInAdmin(app);
  });
  afterEach(async () => {
    await app.close();
    await other.close();
  });
  async function ask<T = SectionState>(method: string, path: string, body?: object, at = app): Promise<{ status: number; body: T }> {
    const answer = await at.call(method, path, admin, body);
    return { status: answer.status, body: (await answer.json()) as T };
  }
  const set = (version: number, value: unknown) => ask('PUT', '/admin/settings/business', { version, value });
  const back = (version: number) => ask('POST', '/admin/settings/business/back', { version });
  const brandAt = async (at: TestApp): Promise<string> =>
    (await ask<{ business: { identity: { brand: string } } }>('GET', '/api/site', undefined, at)).body.business.identity.brand;

  it('are in force at once on the node that was asked, and within seconds on another', async () => {
    const shipped = await brandAt(other);
    expect(await ask('GET', '/admin/settings/business')).toMatchObject({
      status: 200,
      body: { version: 0, value: null, fixed: null, versions: [] },
    });
    expect(await set(0, MINIMAL)).toMatchObject({ status: 200, body: { version: 1, value: MINIMAL } });
    expect(await brandAt(app)).toBe('Zeltverleih Süd');
    await expect.poll(() => brandAt(other)).toBe('Zeltverleih Süd');
    expect(shipped).toBe('Lichterfest Eventverleih');
  });

  it('say who changed them when, and go back step by step to where nothing was set', async () => {
    const named = (brand: string) => ({ ...MINIMAL, identity: { ...MINIMAL.identity, brand } });
    await set(0, named('Eins'));
    await set(1, named('Zwei'));
    const { body } = await back(2);
    expect(body).toMatchObject({ version: 3, value: named('Eins') });
    expect(body.versions.map(({ version, by, restored }) => [version, by, restored])).toEqual([
      [3, ADMIN.username, 1],
      [2, ADMIN.username, null],
      [1, ADMIN.username, null],
    ]);
    await set(3, named('Drei'));
    expect((await back(4)).body).toMatchObject({ version: 5, value: named('Eins') });
    expect((await back(5)).body).toMatchObject({ version: 6, value: null });
    expect(await brandAt(app)).toBe('Lichterfest Eventverleih');
    // Nothing is left to take back.
    expect((await back(6)).body).toMatchObject({ version: 6, value: null });
    expect((await app.audit.newest(undefined, undefined, 2)).map(({ action }) => action)).toEqual([
      'settings.restored',
      'settings.restored',
    ]);
  });

  it('are refused where somebody else has changed them meanwhile, also at the same moment', async () => {
    const answers = await Promise.all([set(0, MINIMAL), set(0, MINIMAL), set(0, MINIMAL)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await back(0)).toMatchObject({ status: 409, body: { code: 'settings_changed' } });
  });

  it('name each field that is wrong or missing, and keep nothing of it', async () => {
    const wrong = await set(0, { identity: { brand: '', zip: 5 }, contact: { email: 'kein @', phone: { e164: '030', shown: '030' } } });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    expect(Object.keys((wrong.body as unknown as { fields: object }).fields).sort()).toEqual([
      'contact.email',
      'contact.phone.e164',
      'identity.brand',
      'identity.zip',
    ]);
    expect(await set(0, { contact: { email: 'a@b.example' } })).toMatchObject({
      body: { fields: { 'identity.brand': 'Diese Angabe fehlt.', 'identity.street': 'Diese Angabe fehlt.' } },
    });
    expect((await ask('GET', '/admin/settings/business')).body.version).toBe(0);
  });

  it('hold templates of events, whole and by different names', async () => {
    const save = (templates: object[]) => ask('PUT', '/admin/settings/templates', { version: 0, value: { templates } });
    expect(await save([{ name: 'Basic' }, { name: 'BASIC', storage_limit: 0 }])).toMatchObject({
      status: 400,
      body: { fields: { 'templates.1.name': 'So heißt schon eine andere Vorlage.' } },
    });
    expect(await save([{ name: 'Basic', storage_limit: -1 }])).toMatchObject({
      body: { fields: { 'templates.0.storage_limit': expect.any(String) } },
    });
    expect(await save([])).toMatchObject({ status: 400 });
    const { body } = await save([{ name: 'Basic', storage_limit: 5, with_videos: true, title: 'gehört nicht dazu' }]);
    expect(body.value).toEqual({ templates: [{ ...PLAIN_EVENT, name: 'Basic', storage_limit: 5, with_videos: true }] });
  });

  it('are for administrators alone, and there are no others', async () => {
    admin = {};
    expect((await ask('GET', '/admin/settings/business')).status).toBe(401);
    expect((await set(0, MINIMAL)).status).toBe(401);
    admin = await logInAdmin(app);
    for (const name of ['constructor', '__proto__', 'nichts']) expect((await ask('GET', `/admin/settings/${name}`)).status).toBe(404);
  });

  it('are read again after the database was away, and say so once', async () => {
    const lines: string[] = [];
    const log = { error: (_: object, text: string) => lines.push(text) } as unknown as TestApp['log'];
    const settings = createSettings({ ...app, log, pollMs: 5 });
    await settings.start();
    await set(0, MINIMAL);
    await expect.poll(() => settings.get('business')?.identity?.brand).toBe('Zeltverleih Süd');
    await runSql(app.db, 'alter table setting_versions rename to away');
    await expect.poll(() => lines).toEqual(['settings could not be read']);
    await runSql(app.db, 'alter table away rename to setting_versions');
    await set(1, { ...MINIMAL, identity: { ...MINIMAL.identity, brand: 'Zeltverleih Nord' } });
    await expect.poll(() => settings.get('business')?.identity?.brand).toBe('Zeltverleih Nord');
    settings.close();
    expect(lines).toHaveLength(1);
  });

  it('that are not understood, as those of another release, change nothing, and switch no protection off', async () => {
    const put = (section: string, version: number, value: unknown) =>
      app.db.kysely
        .insertInto('setting_versions')
        .values({ section, version, value: JSON.stringify(value), restored: null, changed_at: 0, changed_by: 'x' })
        .execute();
    const fresh = async () => {
      const settings = createSettings(other);
      await settings.start();
      settings.close();
      return settings;
    };
    await put('access', 1, { secondFactor: true });
    await app.settings.view('access');
    expect(app.settings.get('access')).toEqual({ secondFactor: true });
    await put('access', 2, { secondFactor: 'passkeys' });
    // One node runs, the other one starts now.
    for (const settings of [app.settings, await fresh()]) {
      expect(await settings.view('access')).toMatchObject({ version: 2, value: { secondFactor: true } });
      expect(settings.get('access')).toEqual({ secondFactor: true });
    }
    await put('access', 3, { secondFactor: false });
    await put('access', 4, ['?']);
    expect((await fresh()).get('access')).toEqual({ secondFactor: false });
    await app.db.kysely.deleteFrom('setting_versions').where('version', '<', 4).execute();
    expect((await fresh()).get('access')).toEqual({ secondFactor: true });
    await put('brand', 1, 7);
    expect((await fresh()).get('brand')).toBe(null);
  });
});
