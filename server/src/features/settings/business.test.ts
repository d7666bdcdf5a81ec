import type { Business } from '@feierbild/contract/calls/site.ts';
import type { Section } from '@feierbild/contract/calls/settings.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { enginesForRules, type Engine } from '../../database/testing.ts';
import { ADMIN, jarOf } from '../accounts/testing.ts';
import { openPortless } from '../testing.ts';
import { openPoints, type TypedBusiness } from './business.ts';
import type { SettingsFeature } from './settings.ts';

const HOSTING = { name: 'Hetzner', address: 'Gunzenhausen', country: 'Deutschland' };
/** The business that ships, with all values that a file may have. */
const SHIPPED = (readConfig({}) as { config: { business: Business } }).config.business;
const FILE: Business = { ...SHIPPED, privacy: { ...SHIPPED.privacy, hosting: HOSTING } };
const BARE: TypedBusiness = {
  identity: { brand: 'Zeltverleih Süd', street: 'Gasse 1', zip: '80331', city: 'München' },
  contact: { email: 'hallo@zelt.example' },
};

/** Returns the open points with these settings and this file of BUSINESS_FILE. */
function open(set: Partial<Record<Section, unknown>>, businessFile: Business | null = null) {
  const settings = { get: (section: Section) => set[section] ?? null } as Pick<SettingsFeature, 'get'>;
  return openPoints({ businessFile }, settings);
}

describe('what nobody has looked at yet', () => {
  it('is all of it where nothing is set, and where only what the first start asks for without an owner is', () => {
    for (const set of [{}, { business: BARE }]) expect(open(set)).toEqual(['owner', 'prices', 'tax', 'hosting']);
  });

  it.each<[string, Partial<Record<Section, unknown>>, string[]]>([
    ['the owner', { business: { ...BARE, identity: { ...BARE.identity, owner: 'Frieda Süd' } } }, ['prices', 'tax', 'hosting']],
    ['prices', { business: BARE, prices: { packages: [] } }, ['owner', 'tax', 'hosting']],
    ['tax, whatever was chosen', { business: { ...BARE, tax: { smallBusiness: false } } }, ['owner', 'prices', 'hosting']],
    ['the place', { business: { ...BARE, privacy: { hosting: HOSTING } } }, ['owner', 'prices', 'tax']],
  ])('is no more %s once that was saved, and the rest stays', (_, set, left) => {
    expect(open(set)).toEqual(left);
  });

  it('is not what stands there empty, or beside it', () => {
    const business = { ...BARE, identity: { ...BARE.identity, owner: '' }, privacy: { dataProtectionAuthority: 'Bayern' } };
    expect(open({ business })).toEqual(['owner', 'prices', 'tax', 'hosting']);
  });

  it('is of a file what that leaves out, whatever was typed: a whole one leaves the prices alone', () => {
    expect(open({}, FILE)).toEqual(['prices']);
    expect(open({ prices: { packages: [] } }, FILE)).toEqual([]);
    const typed = { ...BARE, privacy: { hosting: HOSTING } };
    expect(open({ business: typed }, { ...FILE, privacy: { ...FILE.privacy, hosting: undefined } })).toEqual(['prices', 'hosting']);
  });
});

describe('what administrators are told of it', () => {
  // The engine does not matter here: one is enough.
  const [engine] = enginesForRules() as [Engine];
  afterAll(() => engine.dispose());

  it.each([
    ['', true],
    ['on', false],
    ['off', false],
  ])('is with DEMO=%s: a public demo that nobody asked for: %s', async (DEMO, demo_by_default) => {
    const app = await openPortless({ db: await engine.open(), env: { DEMO } });
    await app.admins.ensureFirst(ADMIN.username, ADMIN.password);
    const headers = { 'sec-fetch-site': 'same-origin' };
    const cookies = jarOf(await app.fastify.inject({ method: 'POST', url: '/auth/admin/login', headers, payload: ADMIN }));
    const status = async () => (await app.fastify.inject({ method: 'GET', url: '/admin/status', headers, cookies })).json<object>();
    const points = ['owner', 'prices', 'tax', 'hosting'];
    expect(await status()).toMatchObject({ demo_by_default, default_business: true, open_points: points });
    const payload = { version: 0, value: { ...BARE, tax: { smallBusiness: true } } };
    await app.fastify.inject({ method: 'PUT', url: '/admin/settings/business', headers, cookies, payload });
    const left = points.filter((point) => point !== 'tax');
    expect(await status()).toMatchObject({ demo_by_default, default_business: false, open_points: left });
    await app.close();
  });
});
