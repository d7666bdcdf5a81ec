import type { ImportedRow, TableRead } from '@feierbild/contract/event-table-schemas.ts';
import { CreatedEvent } from '@feierbild/contract/entities.ts';
import { PLAIN_EVENT } from '@feierbild/contract/event-templates.ts';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { beforeEachDesk, PARTY, type Desk, type Jar } from '../accounts/testing.ts';

const FILE = `Titel;Beginn;Ende;Vorlage;Gastgeber;E-Mail;Kunde;Auftrag;Notiz;Farbe
Lena & Jonas;12.6.2027;13.06.2027;basic;Lena und Jonas;lena@example.org;Öztürk;R-1;"'=1+1";rot
"Sommerfest; mit Gästen";2027-07-03;;;;;Kegelverein;R-2;;blau
`;

describe.each(enginesForRules())('events in tables on $name', (engine) => {
  const clock = { time: PARTY, now: () => clock.time };
  let db: Db;
  let desk: Desk;
  let admin: Jar;

  beforeEachDesk(engine, clock, (opened) => ({ db, desk, admin } = opened));

  async function send(file: string | Buffer, query = '') {
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="events.csv"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), Buffer.from(file), Buffer.from('\r\n--x--\r\n')]);
    return desk.send('POST', `/admin/events/read?${query}`, {
      cookies: admin,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body,
    });
  }
  async function read(file: string | Buffer, query = '') {
    const answer = await send(file, query);
    expect(answer.statusCode).toBe(200);
    return answer.json<TableRead>();
  }
  const create = async ({ key, event }: ImportedRow) => {
    const answer = await desk.send('POST', '/admin/create_event', { cookies: admin, headers: { 'idempotency-key': key }, body: event });
    expect(answer.statusCode).toBe(201);
    return CreatedEvent.parse(answer.json());
  };
  const count = async () => (await db.kysely.selectFrom('events').select('id').execute()).length;

  it('are read with their templates, created by the call that creates every event, and known when they come again', async () => {
    const { ignored, rows } = await read(FILE);
    expect(ignored).toEqual(['Farbe']);
    expect(rows).toMatchObject([
      { line: 2, title: 'Lena & Jonas', start_date: '2027-06-12', end_date: '2027-06-13', template: 'Basic', known: null, mistakes: [] },
      {
        line: 3,
        title: 'Sommerfest; mit Gästen',
        start_date: '2027-07-03',
        end_date: '2027-07-03',
        template: '',
        known: null,
        mistakes: [],
      },
    ]);
    expect(await count()).toBe(0);
    const made = [];
    for (const row of rows) made.push(await create(row));
    const wedding = { host: { email: 'lena@example.org', name: 'Lena und Jonas' }, customer: 'Öztürk', order_number: 'R-1', note: '=1+1' };
    expect(made).toMatchObject([
      { ...wedding, storage_limit: 5, invitation: { mailed: false } },
      { customer: 'Kegelverein', host: null, storage_limit: 'unlimited', with_user_upload: true },
    ]);
    // The same rows create nothing again: after a lost answer, from a second window, or from the same file days later.
    for (const row of rows) expect((await create(row)).id).toBe(made[row.line - 2]?.id);
    clock.time += 3 * 24 * 60 * 60 * 1000;
    admin = await desk.admin();
    expect((await read(FILE)).rows.map(({ known }) => known)).toEqual(made.map(({ code }) => code));
    expect(await count()).toBe(2);
    // A row whose event was deleted may create it again at once.
    const again = (await read(FILE.replaceAll('R-1', 'R-7'))).rows[0] as ImportedRow;
    const { id } = await create(again);
    await desk.send('DELETE', `/admin/events/${id}`, { cookies: admin });
    const [back] = (await read(FILE.replaceAll('R-1', 'R-7'))).rows as [ImportedRow];
    expect(back.known).toBeNull();
    expect((await create(back)).id).not.toBe(id);
    clock.time = PARTY;
  });

  it('are created anew where the one that a row has created is called otherwise by now', async () => {
    const [, row] = (await read(FILE)).rows as [ImportedRow, ImportedRow];
    const { id, version } = await create(row);
    const body = { ...(row.event as object), title: 'Herbstfest', version };
    expect((await desk.send('PUT', `/admin/events/${id}`, { cookies: admin, body })).statusCode).toBe(200);
    const [, again] = (await read(FILE)).rows as [ImportedRow, ImportedRow];
    expect(again.known).toBeNull();
    expect((await create(again)).id).not.toBe(id);
  });

  it('say each mistake where it is, by the name of its column', async () => {
    const settings = {
      version: 0,
      value: { templates: [{ ...PLAIN_EVENT, name: 'Gold', with_upload_password: true, storage_limit: 50 }] },
    };
    await desk.send('PUT', '/admin/settings/templates', { cookies: admin, body: settings });
    const { rows } = await read(
      [
        'Event,Datum,Bis,Paket,Name,Mail,GB,Passwort für Gäste',
        'A,31.02.2027,,,,,,',
        'B,1.5.2027,30.4.2027,,,,,',
        ',1.5.2027,,Silber,,,viel,',
        'C,1.5.2027,,Gold,,,,',
        'D,1.5.2027,,gold,Lena,lena(at)example.org,"2,5",Konfetti',
        'E,1.5.2027,,,Lena,,unbegrenzt,abc',
        'F,1.5.27,,Gold,,,,Konfetti',
        'F,01.05.2027,1.5.2027,,,,,',
      ].join('\n'),
    );
    expect(rows.map(({ line, mistakes }) => [line, ...mistakes.map(({ column, text }) => `${column}: ${text}`)])).toEqual([
      [2, 'Datum: Bitte geben Sie ein gültiges Datum ein.'],
      [3, 'Bis: Das Ende liegt vor dem Beginn. Ein Event an einem einzigen Tag hat für beides denselben Tag.'],
      [
        4,
        'Paket: Diese Vorlage gibt es nicht. Es gibt: Gold.',
        'Event: Bitte geben Sie einen Titel ein.',
        'GB: Bitte geben Sie eine Zahl in GB ein.',
      ],
      [5, 'Passwort für Gäste: Bitte geben Sie ein Upload-Passwort ein.'],
      [6, 'Mail: Bitte geben Sie eine gültige E-Mail-Adresse an.'],
      [7, 'Mail: Zum Namen des Gastgebers fehlt die E-Mail-Adresse.', 'Passwort für Gäste: Das Passwort braucht 4 bis 64 Zeichen.'],
      [8],
      [9, 'Event: Dieses Event steht schon in Zeile 8.'],
    ]);
    expect(await create(rows[6] as ImportedRow)).toMatchObject({ storage_limit: 50, user_upload_password: 'Konfetti' });
  });

  const said = ({ rows }: TableRead): string[] =>
    rows.flatMap(({ line, mistakes }) => mistakes.map(({ column, text }) => `${line} ${column}: ${text}`));

  it('take nothing for a text that stands where a program failed, or cut a number, nor one of two addresses for the only one', async () => {
    const failed = ['#NV', '#REF!', '#NAME?', '#DIV/0!', '#WERT!', '#BEZUG!', '#VALUE!', '#N/A', '########', 'Err:502', '#ÜBERLAUF!'];
    const rows = failed.map((text, n) => `${text};${n + 1}.5.2027;;;`);
    const table = await read(
      [
        'Titel;Beginn;Kunde;Auftragsnummer;E-Mail',
        ...rows,
        'A;1.5.2027;#NV;2,02711E+11;Anna <a@b.de>, Tom <c@d.de>',
        '#annaundtom;2.5.2027;;1E+5;',
      ].join('\n'),
    );
    const stands = (text: string): string => `Hier steht „${text}“ statt des Inhalts: Bitte sehen Sie in der Tabelle nach.`;
    expect(said(table)).toEqual([
      ...failed.map((text, n) => `${n + 2} Titel: ${stands(text)}`),
      `13 Kunde: ${stands('#NV')}`,
      '13 Auftragsnummer: Hier fehlen die letzten Ziffern. Bitte geben Sie der Spalte in der Tabelle das Format „Text“.',
      '13 E-Mail: Bitte eine einzige E-Mail-Adresse je Event.',
    ]);
  });

  it('have columns that are shown, and can be given what they are about', async () => {
    const file = 'Couple;Date;Customer no.;Mail;Mail\nLena & Jonas;1.5.2027;R-9;lena@example.org;zwei@example.org\n';
    const first = await read(file);
    expect([first.columns, first.rows]).toEqual([
      [
        { name: 'Couple', example: 'Lena & Jonas', field: null },
        { name: 'Date', example: '1.5.2027', field: null },
        { name: 'Customer no.', example: 'R-9', field: null },
        { name: 'Mail', example: 'lena@example.org', field: 'host_email' },
        { name: 'Mail', example: 'zwei@example.org', field: null },
      ],
      [],
    ]);
    const { rows, ignored } = await read(file, 'columns=title,start_date,order_number,,host_email');
    expect(rows).toMatchObject([
      { title: 'Lena & Jonas', start_date: '2027-05-01', order_number: 'R-9', host_email: 'zwei@example.org', mistakes: [] },
    ]);
    expect(ignored).toEqual(['Mail']);
    for (const columns of ['title,title', 'start_date', 'quatsch,constructor', ',,,,,,,,,,', 'title,start_date,__proto__'])
      expect((await send(file, `columns=${columns}`)).statusCode).toBe(200);
    expect((await send(file, `columns=${'title,'.repeat(1000)}`)).statusCode).toBe(400);
    expect((await send(file, 'dates=gestern')).statusCode).toBe(400);
  });

  it('are never guessed at: what can mean two things is asked', async () => {
    const file = 'Titel;Event-Datum;Ende;GB\nA;1/5/27;;1.000\nB;46508;;\nC;13/5/27;;5\nD;1.5.2027;3/5/27;12,500 GB\n';
    const open = await read(file);
    expect(open.questions).toEqual([
      {
        question: 'dates',
        example: '1/5/27',
        answer: null,
        options: [
          { value: 'day', text: '01.05.2027' },
          { value: 'month', text: '05.01.2027' },
        ],
      },
      {
        question: 'numbers',
        example: '1.000',
        answer: null,
        options: [
          { value: 'thousands', text: '1000 GB' },
          { value: 'decimals', text: '1 GB' },
        ],
      },
      {
        question: 'serials',
        example: '46508',
        answer: null,
        options: [
          { value: '1900', text: '01.05.2027' },
          { value: '1904', text: '02.05.2031' },
        ],
      },
    ]);
    expect(said(open)).toEqual([
      '2 Event-Datum: Bitte sagen Sie oben, was „1/5/27“ heißt.',
      '2 GB: Bitte sagen Sie oben, was „1.000“ heißt.',
      '3 Event-Datum: Bitte sagen Sie oben, was „46508“ heißt.',
      '5 Ende: Bitte sagen Sie oben, was „3/5/27“ heißt.',
      '5 GB: Bitte sagen Sie oben, was „12,500 GB“ heißt.',
    ]);
    const answered = await read(file, 'dates=day&numbers=thousands&serials=1900');
    expect([said(answered), answered.questions.map(({ answer }) => answer)]).toEqual([[], ['day', 'thousands', '1900']]);
    expect(answered.rows.map(({ start_date, end_date, event }) => [start_date, end_date, event.storage_limit])).toEqual([
      ['2027-05-01', '2027-05-01', 1000],
      ['2027-05-01', '2027-05-01', null],
      ['2027-05-13', '2027-05-13', 5],
      ['2027-05-01', '2027-05-03', 12_500],
    ]);
    // The question about the file's letters comes before all others.
    const mac = Buffer.from('Titel;Beginn\nM\x9fllers Feier;1.5.2027\n', 'latin1');
    expect(await read(mac)).toMatchObject({
      rows: [],
      questions: [
        {
          question: 'letters',
          options: [
            { value: 'windows', text: 'MŸllers' },
            { value: 'mac', text: 'Müllers' },
            { value: 'dos', text: 'Mƒllers' },
          ],
        },
      ],
    });
    expect((await read(mac, 'letters=mac')).rows).toMatchObject([{ title: 'Müllers Feier' }]);
  });

  it('are read as people and programs write them, each mistake said once, by Excel’s rows', async () => {
    const file = [
      'sep=;',
      'Brautpaar;Hochzeitsdatum;Ende;E-Mail;Gastgeber;;',
      '"Lena &\r\nJonas";Sa, 01.05.2027;;"Anna <a@b.de>";;;',
      '',
      '="Mia & Tom";="01.05.2027";2027-05-01T00:00:00Z;mia@müller.de;Mia;;',
      'A;31.02.2027;1.3.2027;;;;',
      'B;1.5.2027;30.4.2027;a@b.de, c@d.de;;;',
    ].join('\r\n');
    const table = await read(Buffer.from(`\uFEFF${file}`));
    expect(table.rows.map(({ line, title, start_date, host_email }) => [line, title, start_date, host_email])).toEqual([
      [2, 'Lena & Jonas', '2027-05-01', 'a@b.de'],
      [4, 'Mia & Tom', '2027-05-01', 'mia@xn--mller-kva.de'],
      [5, 'A', '31.02.2027', ''],
      [6, 'B', '2027-05-01', 'a@b.de, c@d.de'],
    ]);
    expect(table.rows[0]?.event.host).toEqual({ email: 'a@b.de', name: 'Anna' });
    expect(said(table)).toEqual([
      '5 Hochzeitsdatum: Bitte geben Sie ein gültiges Datum ein.',
      '6 E-Mail: Bitte eine einzige E-Mail-Adresse je Event.',
      '6 Ende: Das Ende liegt vor dem Beginn. Ein Event an einem einzigen Tag hat für beides denselben Tag.',
    ]);
  });

  it('are read below a title, with strokes, and with what keeps a day a text', async () => {
    const title = await read("Unsere Feste, Stand Mai;;\n;;\nTitel;Beginn;E-Mail\nA;'01.05.2027;a@b.de (Anna)\n");
    expect(title.rows).toMatchObject([{ line: 4, title: 'A', start_date: '2027-05-01', host_email: 'a@b.de', mistakes: [] }]);
    const strokes = await read('Feste 2027\nTitel|Beginn\nA; B|1.5.2027\n');
    expect(strokes.rows).toMatchObject([{ line: 3, title: 'A; B', start_date: '2027-05-01', mistakes: [] }]);
    // Columns with unknown names are returned, so that the sender can say what they mean.
    const others = await read('Feste 2027\nCouple,Day\nA,1.5.2027\n');
    expect(others.columns.map(({ name }) => name)).toEqual(['Couple', 'Day']);
    expect((await read('Couple,Day\nTitel,Beginn2\n')).columns.map(({ name }) => name)).toEqual(['Couple', 'Day']);
    expect((await send(`Feste\nTitel;Beginn\n${'A;1.5.2027\n'.repeat(501)}`)).statusCode).toBe(400);
    expect((await send('Feste 2027\nTitel;Beginn\n')).statusCode).toBe(400);
  });

  it.each([
    ['PK\x03\x04\x14\0\x06\0', 'Das ist eine Excel-Mappe. '],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'Das ist eine alte Excel-Mappe. '],
    ['%PDF-1.7', 'Das ist ein PDF. '],
  ])('say what they are where they are none: %j', async (bytes, sentence) => {
    const answer = await send(Buffer.concat([Buffer.from(bytes, 'latin1'), Buffer.alloc(600)]));
    expect([answer.statusCode, answer.json<{ fields: { file: string } }>().fields.file]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it.each([
    ['a file without the names of columns', 'Lena & Jonas;12.6.2027\n', 400],
    ['an empty one', '', 400],
    ['a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2, 3]), 400],
    ['too many rows', `Titel;Beginn\n${'A;1.5.2027\n'.repeat(501)}`, 400],
    ['too many bytes', `Titel;Beginn\n${'A'.repeat(2_000_000)}`, 413],
  ])('%s is refused', async (_, file, status) => {
    expect((await send(file)).statusCode).toBe(status);
  });

  it('are known again however the spaces and letters of title and order number are written', async () => {
    const day = { start_date: '2027-05-01', end_date: '2027-05-01', storage_limit: 1 };
    const titles = ['Lena  & Jonas', 'Lena\u00a0& Tom', 'Mu\u0308llers Fest', "'=1+1", "''-5", '="Fest"', 'Zwei "Zeilen"; und mehr'];
    for (const title of titles) {
      const body = { ...day, title, order_number: 'R  9' };
      expect((await desk.send('POST', '/admin/create_event', { cookies: admin, body })).statusCode).toBe(201);
    }
    const written = await desk.send('GET', '/admin/events.csv', { cookies: admin });
    const { rows } = await read(Buffer.from(written.body));
    expect(rows.map(({ title, known }) => [title, known !== null])).toEqual(rows.map(({ title }) => [title, true]));
    expect(rows).toHaveLength(titles.length);
    // The same events, as another program writes them.
    const other = ['Lena & Jonas', 'Lena & Tom', 'Müllers Fest', 'Mu\u0308llers\u0085Fest'].map((title) => `${title};1.5.2027;R\u00a09`);
    const again = await read(`Titel;Beginn;Auftrag\n${other.join('\n')}\n`);
    expect(again.rows.map(({ known }) => known !== null)).toEqual([true, true, true, true]);
    expect(again.rows[3]?.mistakes).toMatchObject([{ text: 'Dieses Event steht schon in Zeile 4.' }]);
  });

  it('are written as the list is filtered, without passwords and formulas, and read again as they were', async () => {
    for (const row of (await read(FILE)).rows) await create(row);
    const evil = { title: '=HYPERLINK("http://a.example")', start_date: '2027-08-01', end_date: '2027-08-02', storage_limit: 2.5 };
    const locked = {
      with_upload_password: true,
      user_upload_password: 'Konfetti!',
      with_fotobox: true,
      fotobox_upload_password: 'Blitzlicht',
    };
    await desk.send('POST', '/admin/create_event', { cookies: admin, body: { ...evil, ...locked } });
    const table = async (query: string) => desk.send('GET', `/admin/events.csv?${query}`, { cookies: admin });
    const all = await table('order=start');
    expect(all.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'private, no-store' });
    expect(all.headers['content-disposition']).toContain('Events 2026-05-17.csv');
    const lines = all.body.split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFF"Titel";"Untertitel";"Beginn";"Ende";"Code"/);
    expect(lines[1]).toContain('"Lena & Jonas";"";"12.06.2027";"13.06.2027"');
    expect(lines[1]).toContain('"Öztürk";"R-1";"\'=1+1";"Lena und Jonas";"lena@example.org"');
    expect(lines[3]).toContain('"\'=HYPERLINK(""http://a.example"")"');
    expect(all.body).not.toMatch(/Konfetti|Blitzlicht/);
    expect((await table('search=R-2')).body.split('\r\n')).toHaveLength(3);
    const { rows, ignored } = await read(Buffer.from(all.body));
    expect(rows.map(({ known, mistakes }) => [known !== null, mistakes])).toEqual([1, 2, 3].map(() => [true, []]));
    expect(rows[2]?.event).toMatchObject({ title: evil.title, storage_limit: 2.5 });
    expect(ignored).toContain('Code');
  });
});
