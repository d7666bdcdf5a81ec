import { DAY, REPORTS } from '@feierbild/contract/constants.ts';
import { ReportForm } from '@feierbild/contract/calls/reports.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createRateLimits } from '../rate-limits/rate-limits.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { randomShortToken, randomToken } from '../../lib/ids.ts';
import { fillTables } from '../../database/testing/fill.ts';
import { createReports, type Reports } from './reports.ts';

const vault = createQuickVault();
const FORM = { event: 'ABCDEFGH', photo: 'Das Foto am Buffet', reason: 'Ich möchte nicht zu sehen sein.', name: '', email: '' };

describe.each(enginesForRules())('reports on $name', (engine) => {
  const clock = { time: 0, now: () => clock.time };
  let db: Db;
  let reports: Reports;
  beforeEach(async () => {
    clock.time = 1_790_000_000_000;
    db = await engine.open();
    reports = createReports({ db, vault, clock, limits: createRateLimits({ db, clock }), mail: { toOperator: async () => false } });
  });
  afterAll(() => engine.dispose());
  const listed = async () => (await reports.list({}, 100)).reports;

  it('reach the operator: open ones first, then the newest', async () => {
    for (const reason of ['eins', 'zwei', 'drei']) {
      clock.time += 1000;
      await reports.add({ ...FORM, reason }, '192.0.2.1');
    }
    const [, second] = await listed();
    await reports.settle(second?.id ?? '', true, 'frieda');
    expect((await listed()).map(({ reason, settled_by }) => [reason, settled_by])).toEqual([
      ['drei', null],
      ['eins', null],
      ['zwei', 'frieda'],
    ]);
    await reports.settle(second?.id ?? '', false, 'frieda');
    expect((await listed()).map(({ reason }) => reason)).toEqual(['drei', 'zwei', 'eins']);
  });

  it('are all reached, page by page, with open ones first, also while they are settled meanwhile', async () => {
    for (let n = 1; n <= 7; n += 1) {
      clock.time += 1000;
      await reports.add({ ...FORM, reason: `${n}` }, '192.0.2.1');
    }
    const ids = new Map((await listed()).map(({ reason, id }) => [reason, id]));
    for (const reason of ['7', '3']) await reports.settle(ids.get(reason) ?? '', true, 'frieda');
    const first = await reports.list({}, 2);
    await reports.settle(ids.get('5') ?? '', true, 'frieda');
    const pages = [first];
    for (let next = first.next; next; next = pages.at(-1)!.next) pages.push(await reports.list(next, 2));
    expect(pages.map(({ reports: page, open }) => [open, ...page.map(({ reason }) => reason)])).toEqual([
      [5, '6', '5'],
      [4, '4', '2'],
      [4, '1', '7'],
      [4, '5', '3'],
    ]);
  });

  it('are limited by address, also when they come at once; others still get through', async () => {
    const results = await Promise.allSettled(Array.from({ length: REPORTS.count + 5 }, () => reports.add(FORM, '192.0.2.1')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(REPORTS.count);
    await reports.add(FORM, '192.0.2.2');
    clock.time += REPORTS.window;
    await reports.add(FORM, '192.0.2.1');
  });

  it('hold nothing that opens a photo: of a pasted link its photo’s id, of others no token, query or fragment', async () => {
    const [link, gallery, helper] = [randomToken(), randomShortToken(), randomShortToken()];
    const { relations } = await fillTables(db, { token_hash: vault.lookupHash(link, 'link') });
    const id = relations.photo_id as string;
    const photo = [
      `https://fotos.example/download/${link}`,
      `/galerie/ABCDEFGH#${gallery},`,
      `(https://fotos.example/galerie/ABCDEFGH%23${gallery})`,
      `https://anna:geheim@fotos.example/event/ABCDEFGH?password=Bl%C3%BCten`,
      'fotos.example:8443/event/ABCDEFGH?password=geheim',
      '192.168.1.5/event/ABCDEFGH?password=geheim',
      'localhost:3000/event/ABCDEFGH?password=geheim',
      '[2001:db8::1]/event/ABCDEFGH?password=geheim',
      helper,
      `https://fotos.example/api/photos/${id}/original`,
      randomToken(),
      'Donaudampfschifffahrtsgesellschaft IMG_20270501_123456_789.jpg',
    ];
    await reports.add(
      { ...FORM, event: `fotos.example/galerie/ABCDEFGH#${gallery}`, photo: photo.join(' '), reason: `siehe ${link}\nBitte!` },
      'x',
    );
    const [report] = await listed();
    expect(report).toMatchObject({
      event: 'fotos.example/galerie/ABCDEFGH…',
      photo: [
        `https://fotos.example/download/(Foto ${id})`,
        '/galerie/ABCDEFGH…',
        '(https://fotos.example/galerie/ABCDEFGH…',
        'https://…@fotos.example/event/ABCDEFGH…',
        'fotos.example:8443/event/ABCDEFGH…',
        '192.168.1.5/event/ABCDEFGH…',
        'localhost:3000/event/ABCDEFGH…',
        '[2001:db8::1]/event/ABCDEFGH…',
        '…',
        `https://fotos.example/api/photos/${id}/original`,
        '…',
        'Donaudampfschifffahrtsgesellschaft IMG_20270501_123456_789.jpg',
      ].join(' '),
      reason: `siehe (Foto ${id})\nBitte!`,
    });
  });

  it.each([
    ['without the server’s name, as a gateway has encoded it', 'ABCDEFGH%23', ''],
    ['encoded twice', 'ABCDEFGH%2523', ''],
    ['as Proofpoint wraps it', 'https://urldefense.com/v3/__https://fotos.example/galerie/ABCDEFGH*', '__;Iw!!N1x$'],
    ['as Proofpoint wrapped it before', 'urldefense_galerie_ABCDEFGH-23', ''],
    ['in italics', '_', '_'],
    ['with a dash', '–', '-'],
    ['behind a sign', 'token=', '&c=1'],
  ])('hold no token that is pasted %s', async (_how, before, after) => {
    const tokens = Array.from({ length: 20 }, randomShortToken);
    for (const token of tokens) {
      clock.time += REPORTS.window;
      await reports.add({ ...FORM, photo: `Foto ${before}${token}${after} am Buffet` }, 'x');
    }
    const kept = JSON.stringify(await listed());
    expect(tokens.filter((token) => kept.includes(token))).toEqual([]);
    expect(kept).toContain('am Buffet');
  });

  it('go after 12 months', async () => {
    await reports.add(FORM, '192.0.2.1');
    clock.time += 364 * DAY;
    await reports.forget();
    expect(await listed()).toHaveLength(1);
    clock.time += DAY;
    await reports.forget();
    expect(await listed()).toEqual([]);
  });

  it('are kept without NUL characters', async () => {
    const form = ReportForm.parse({ ...FORM, event: 'Fe\0st', reason: 'Zeile 1\nZeile\0 2', name: '\0Anna' });
    await reports.add(form, '192.0.2.1');
    expect(await listed()).toMatchObject([{ event: 'Fest', reason: 'Zeile 1\nZeile 2', name: 'Anna' }]);
  });

  it('that nobody made cannot be settled', async () => {
    for (const id of ['nichts', '\0', '01980000-0000-7000-8000-000000000000'])
      await expect(reports.settle(id, true, 'frieda')).rejects.toMatchObject({ code: 'report_not_found' });
  });
});

describe('the form of a report', () => {
  it('asks in German for what is missing or wrong, field by field', () => {
    const { error } = ReportForm.safeParse({ event: ' ', photo: '', reason: 'x'.repeat(4001), email: 'keine' });
    const messages = Object.fromEntries(error?.issues.map(({ path, message }) => [path[0], message]) ?? []);
    expect(messages).toEqual({
      event: 'Bitte nennen Sie das Event oder seinen Code.',
      photo: 'Bitte beschreiben Sie, welches Foto Sie meinen.',
      reason: 'Bitte höchstens 4.000 Zeichen.',
      email: 'Bitte geben Sie eine gültige E-Mail-Adresse an.',
    });
  });
});
