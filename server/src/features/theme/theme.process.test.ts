import { randomBytes } from 'node:crypto';
import { deflateSync, crc32 } from 'node:zlib';
import { PALETTES } from '@feierbild/contract/palettes.ts';
import type { GuestEvent, HostEvent } from '@feierbild/contract/entities.ts';
import type { Look } from '@feierbild/contract/theme.ts';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules, runSql } from '../../database/testing.ts';
import { logInAdmin } from '../accounts/testing.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const ENGINES = enginesForRules();
const decoder = useDecoder(ENGINES);
const NO_LOOK: Look = { palette: null, welcome: '', title_picture: null };

describe.each(ENGINES)('looks and pictures on $name', (engine) => {
  let app: TestApp;
  let admin: string;
  let event: Awaited<ReturnType<TestApp['event']>>;

  beforeEach(async () => {
    app = await openApp({ db: await engine.open(), decoder });
    event = await app.event();
  });
  afterEach(() => app.close());

  async function ask<T = Look & { code: string }>(method: string, path: string, body?: object | Buffer, cookie = event.cookie) {
    const form = new FormData();
    if (body instanceof Buffer) form.append('file', new File([Buffer.from(body)], 'bild.png'));
    const answer = await fetch(app.url + path, {
      method,
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        ...(body && !(body instanceof Buffer) && { 'content-type': 'application/json' }),
      },
      ...(body && { body: body instanceof Buffer ? form : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: (text.startsWith('{') ? JSON.parse(text) : text) as T };
  }
  const title = (body: object | Buffer) => ask(body instanceof Buffer ? 'POST' : 'PUT', `/api/events/${event.code}/title-picture`, body);
  const hostSees = async (): Promise<Look> => (await ask<HostEvent>('GET', `/api/events/${event.code}`)).body.look;
  const guestSees = async (): Promise<Look | undefined> => (await ask<GuestEvent>('GET', `/event/${event.code}`, undefined, '')).body.look;
  const kept = async (): Promise<number> => (await runSql(app.db, 'select id from pictures')).length;
  const logo = (file: Buffer) => ask<{ id: string; width: number; height: number; code: string }>('POST', '/admin/logo', file, admin);

  it('are what the host chose, for host and guests; without one guests learn nothing of it', async () => {
    expect([await hostSees(), await guestSees()]).toEqual([NO_LOOK, undefined]);
    const wish = { palette: 'petrol', welcome: '  Schön, dass ihr da seid!  ' };
    const chosen = { palette: 'petrol', welcome: 'Schön, dass ihr da seid!', title_picture: null };
    expect(await ask('PUT', `/api/events/${event.code}/look`, wish)).toMatchObject({ status: 200, body: chosen });
    expect([await hostSees(), await guestSees()]).toEqual([chosen, chosen]);
    // The form was opened before the last change.
    const late = { palette: 'beere', welcome: '', was: { palette: null, welcome: '' } };
    expect(await ask('PUT', `/api/events/${event.code}/look`, late)).toMatchObject({ status: 409, body: { code: 'event_changed' } });
    expect(await hostSees()).toEqual(chosen);
    // The request is repeated, because its answer was lost.
    const again = { ...wish, was: { palette: null, welcome: '' } };
    expect(await ask('PUT', `/api/events/${event.code}/look`, again)).toMatchObject({ status: 200, body: chosen });
    const { id } = event;
    await app.db.kysely.updateTable('events').set({ palette: 'of a later release' }).where('id', '=', id).execute();
    const seen = await hostSees();
    expect(seen.palette).toBeNull();
    const { title_picture: _, ...was } = seen;
    expect(await ask('PUT', `/api/events/${event.code}/look`, { palette: 'gold', welcome: '', was })).toMatchObject({ status: 200 });
  });

  it('refuse any palette that is not ours, and a sentence that is too long', async () => {
    const hostile = ['url(//evil)', 'beere}body{display:none', "'];*{}", '__proto__', 'BEERE', 5, ['beere'], { beere: 1 }];
    for (const palette of hostile) {
      const { status, body } = await ask('PUT', `/api/events/${event.code}/look`, { palette, welcome: '' });
      expect([palette, status, body.code]).toEqual([palette, 400, 'invalid_input']);
    }
    expect((await ask('PUT', `/api/events/${event.code}/look`, { palette: null, welcome: 'x'.repeat(161) })).status).toBe(400);
    expect(await hostSees()).toEqual(NO_LOOK);
    for (const palette of PALETTES) expect((await ask('PUT', `/api/events/${event.code}/look`, { palette, welcome: '' })).status).toBe(200);
  });

  it('a title picture of a photo is small, without metadata, for everybody, and gone with its photo', async () => {
    const device = newDevice();
    const photo = await sharp(await drawPhoto({ width: 3000, height: 2000 }))
      .withExif({ IFD0: { Copyright: 'geheim' } })
      .jpeg()
      .toBuffer();
    const stored = await app.upload(event.code, photo, { device });
    const { status, body } = await title({ photo: stored.photo.id });
    expect([status, body.title_picture]).toEqual([200, expect.stringMatching(/^\/api\/pictures\/[\w-]{22}$/)]);
    const answer = await fetch(app.url + String(body.title_picture));
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, max-age=86400, immutable']);
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(bytes.length).toBeLessThanOrEqual(200_000);
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    expect((await guestSees())?.title_picture).toBe(body.title_picture);
    // The guest deletes the photo.
    const gone = await app.call('DELETE', `/api/photos/${stored.photo.id}`, { 'device-id': device });
    expect([gone.status, await guestSees(), await kept()]).toEqual([204, undefined, 0]);
    expect((await fetch(app.url + String(body.title_picture))).status).toBe(404);
  });

  it('an own title picture replaces the one before, and is removed with the event’s purge, or by its host', async () => {
    const own = await drawPhoto({ width: 400, height: 300 });
    const first = (await title(own)).body.title_picture;
    const second = (await title(own)).body.title_picture;
    expect(first).not.toBe(second);
    expect([(await hostSees()).title_picture, await kept()]).toEqual([second, 1]);
    expect((await ask('DELETE', `/api/events/${event.code}/title-picture`)).body.title_picture).toBeNull();
    expect(await kept()).toBe(0);
    await ask('PUT', `/api/events/${event.code}/look`, { palette: null, welcome: 'Für Lena' });
    await title(own);
    await app.events.purgeRows(event.id);
    expect([await kept(), (await app.row(event.id)).welcome]).toEqual([0, '']);
  });

  describe('the picture that messengers show of the link', () => {
    const link = async () => (await app.linkPreviews.of(event.code))!;
    const shown = async (path: string) => {
      const answer = await fetch(app.url + path);
      return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    /** Computes the mean colour of the right third, where a title picture is. */
    const right = async (file: Buffer): Promise<number[]> => {
      const part = await sharp(file).extract({ left: 900, top: 100, width: 200, height: 400 }).toBuffer();
      return (await sharp(part).stats()).channels.map(({ mean }) => Math.round(mean / 8));
    };

    it('has the title on the colour of the palette and the host’s own picture, not a guest’s', async () => {
      await ask('PUT', `/api/events/${event.code}/look`, { palette: 'petrol', welcome: 'Schön, dass ihr da seid!' });
      const plain = await link();
      expect(plain).toEqual({
        title: expect.any(String) as string,
        description: 'Schön, dass ihr da seid!',
        picture: expect.stringMatching(/^\/api\/link-previews\/[0-9a-f-]{36}\?v=[\w-]{12}$/) as string,
      });
      expect(plain.picture).not.toContain(event.code);
      const first = await shown(plain.picture);
      const { format, width, height, exif } = await sharp(first.bytes).metadata();
      expect([first.status, format, width, height, exif]).toEqual([200, 'jpeg', 1200, 630, undefined]);
      expect(first.headers.get('cache-control')).toBe('public, max-age=86400');
      expect(await right(first.bytes)).toEqual([0x0d, 0x60, 0x68].map((value) => Math.round(value / 8)));

      const stored = await app.upload(
        event.code,
        await sharp({ create: { width: 400, height: 300, channels: 3, background: '#ffff00' } })
          .jpeg()
          .toBuffer(),
      );
      await title({ photo: stored.photo.id });
      expect(await right((await shown((await link()).picture)).bytes)).toEqual(await right(first.bytes));

      await title(
        await sharp({ create: { width: 400, height: 300, channels: 3, background: '#ffffff' } })
          .png()
          .toBuffer(),
      );
      const own = await link();
      expect(own.picture).not.toBe(plain.picture);
      expect(await right((await shown(own.picture)).bytes)).toEqual([32, 32, 32]);
    });

    it('is the brand alone where there is a password, unless the host wants otherwise, and where the title has no form in its letters', async () => {
      await app.db.kysely
        .updateTable('events')
        .set({ title: 'Geheimes Fest', with_upload_password: 1 })
        .where('id', '=', event.id)
        .execute();
      const locked = await link();
      expect([locked.title, locked.description]).toEqual(['Feierbild', 'Fotos vom Fest: auswählen, fertig. Ohne App.']);
      const choose = (value: string, cookie = event.cookie) => ask('PUT', `/api/events/${event.code}/link-preview`, { value }, cookie);
      expect((await choose('event', '')).status).toBe(401);
      expect((await choose('alles')).status).toBe(400);
      expect((await choose('event')).body).toEqual({ value: 'event' });
      expect((await link()).title).toBe('Geheimes Fest');
      const neutral = (await shown(locked.picture)).bytes;
      await app.db.kysely.updateTable('events').set({ title: 'حفل زفاف' }).where('id', '=', event.id).execute();
      expect((await link()).title).toBe('حفل زفاف');
      await choose('brand');
      expect((await shown((await link()).picture)).bytes.equals(neutral)).toBe(false);
      expect((await link()).title).toBe('Feierbild');
    });

    it('takes any title and draws it once for all who ask at the same moment', async () => {
      const hostile = ['<span size="9999999">&amp;&lt;', 'x'.repeat(200), '🎉 💍', `A${'\u0301'.repeat(300)}`, '%s %n', '&#x41;</span>'];
      for (const text of hostile) {
        await app.db.kysely.updateTable('events').set({ title: text }).where('id', '=', event.id).execute();
        const { picture } = await link();
        const answers = await Promise.all(Array.from({ length: 6 }, () => shown(picture)));
        expect([text, answers.map(({ status }) => status), answers[0]!.bytes.length < 400_000]).toEqual([text, Array(6).fill(200), true]);
      }
    });

    it('goes with its event, and is nobody’s without one', async () => {
      const { picture } = await link();
      expect((await shown(picture)).status).toBe(200);
      await app.events.purgeRows(event.id);
      expect([await app.linkPreviews.of(event.code), (await shown(picture)).status]).toEqual([null, 404]);
      for (const id of ['x', event.code, '00000000-0000-7000-8000-000000000000'])
        expect((await shown(`/api/link-previews/${id}`)).status).toBe(404);
    });
  });

  it('are the host’s alone, of the own event’s photos, and not for the demo', async () => {
    const other = await app.event();
    const stored = await app.upload(other.code, await drawPhoto());
    expect(await title({ photo: stored.photo.id })).toMatchObject({ status: 404, body: { code: 'photo_not_found' } });
    expect((await ask('PUT', `/api/events/${event.code}/look`, { palette: 'beere', welcome: '' }, other.cookie)).status).toBe(401);
    expect((await ask('DELETE', `/api/events/${event.code}/title-picture`, undefined, '')).status).toBe(401);
    const demo = await app.event({ demo: 1 });
    expect((await ask('PUT', `/api/events/${demo.code}/look`, { palette: 'beere', welcome: '' }, demo.cookie)).body.code).toBe(
      'demo_fixed',
    );
    expect((await ask('POST', `/api/events/${demo.code}/title-picture`, await drawPhoto(), demo.cookie)).body.code).toBe('demo_fixed');
  });

  it('logos are PNG, JPEG or WebP, made small, and unused ones go after a day', async () => {
    ({ cookie: admin } = await logInAdmin(app));
    const sharpened = sharp({ create: { width: 2000, height: 500, channels: 4, background: '#00448888' } });
    for (const format of ['png', 'webp', 'jpeg'] as const) {
      expect(await logo(await sharpened.clone().toFormat(format).toBuffer())).toMatchObject({
        status: 201,
        body: { width: 480, height: 120 },
      });
    }
    const last = await logo(await sharpened.png().toBuffer());
    const answer = await fetch(`${app.url}/api/pictures/${last.body.id}`);
    const made = await sharp(await answer.arrayBuffer()).metadata();
    expect([made.format, made.hasAlpha, answer.headers.get('cache-control')]).toEqual([
      'webp',
      true,
      'public, max-age=31536000, immutable',
    ]);
    await app.db.kysely.updateTable('pictures').set({ created_at: 0 }).execute();
    const brand = { version: 0, value: { logo: last.body } };
    expect((await ask('PUT', '/admin/settings/brand', brand, admin)).status).toBe(200);
    await logo(await sharpened.png().toBuffer());
    expect(await kept()).toBe(2);
    expect((await fetch(`${app.url}/api/pictures/${last.body.id}`)).status).toBe(200);
  });

  it('hostile logos are refused in bounded time and memory, and nothing of them stays', async () => {
    ({ cookie: admin } = await logInAdmin(app));
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    const gif = await sharp(await drawPhoto())
      .gif()
      .toBuffer();
    const hostile: [string, Buffer, number][] = [
      ['SVG', Buffer.from(svg), 415],
      ['SVG that says PNG', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(svg)]), 415],
      ['GIF', gif, 415],
      ['nothing', Buffer.alloc(0), 415],
      ['noise', randomBytes(100_000), 415],
      ['a bomb of 900 megapixels', bombPng(30_000, 30_000), 415],
      ['too many bytes', Buffer.alloc(21_000_000), 413],
    ];
    for (const [what, file, status] of hostile) expect([what, (await logo(file)).status]).toEqual([what, status]);
    expect(await kept()).toBe(0);
    expect((await ask('POST', '/admin/logo', gif, '')).status).toBe(401);
    for (const id of ['', 'x', '../x', 'a'.repeat(22), "' or 1=1"]) {
      expect((await fetch(`${app.url}/api/pictures/${encodeURIComponent(id)}`)).status).toBe(404);
    }
  });

  it('colours are six hexadecimal digits that can be read, and nothing else; a logo is one that was made', async () => {
    ({ cookie: admin } = await logInAdmin(app));
    const set = (value: unknown) => ask<{ fields?: { accent?: string } }>('PUT', '/admin/settings/brand', { version: 0, value }, admin);
    const hostile = [
      'red',
      '#fff',
      '#a81f4b;}body{display:none}',
      '#a81f4b\n',
      '</style><script>',
      'url(//evil)',
      '#a81f4g',
      '',
      5,
      null,
      ['#a81f4b'],
    ];
    for (const accent of hostile) expect([accent, (await set({ accent })).status]).toEqual([accent, 400]);
    const { status, body } = await set({ accent: '#FFCC00' });
    expect([status, body.fields?.accent]).toEqual([400, expect.stringMatching(/Kontrast 1,4, nötig sind 4,5.*: #[0-9a-f]{6}$/)]);
    const nearest = body.fields?.accent?.slice(-7);
    expect((await set({ logo: { id: 'a'.repeat(22), width: 1, height: 1 } })).status).toBe(400);
    const title_picture = (await title(await drawPhoto())).body.title_picture ?? '';
    expect((await set({ logo: { id: title_picture.split('/').at(-1), width: 160, height: 120 } })).status).toBe(400);
    expect((await set({ accent: nearest, other: 1 })).status).toBe(200);
    const { brand } = (await ask<{ brand: object }>('GET', '/api/site', undefined, '')).body;
    expect(brand).toEqual({ accent: nearest });
  });
});

/** Makes a PNG of one colour in a few KB. */
function bombPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}
