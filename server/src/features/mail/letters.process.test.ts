import { MAIL_TOPICS, variablesOf, type MailTopic, type MailValues } from '@feierbild/contract/mail.ts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { drawPhoto, newDevice } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { drawShape, newKey, previewOf, tusClient } from '../uploads/testing.ts';
import { FEAST, HOST, useMail } from './testing/mail-client.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('mail on $name', (engine) => {
  const { clock, server, ask, created, arrived } = useMail(engine, decoder);

  it('wears the operator’s logo and colour, which come with it: nothing is loaded from anywhere', async () => {
    const form = new FormData();
    const drawn = sharp({ create: { width: 900, height: 100, channels: 4, background: '#24437e' } });
    form.append('file', new File([new Uint8Array(await drawn.png().toBuffer())], 'logo.png', { type: 'image/png' }));
    const headers = { cookie: server.cookie, 'sec-fetch-site': 'same-origin' };
    const logo = await (await fetch(`${server.app.url}/admin/logo`, { method: 'POST', headers, body: form })).json();
    expect((await ask('PUT', '/admin/settings/brand', { version: 0, value: { accent: '#24437e', logo } })).status).toBe(200);
    await created();
    const [mail] = await arrived();
    const { brand } = server.app.config.business.identity;
    expect(mail?.html).toContain('background:#24437e');
    const [image, ...others] = mail?.html?.match(/<img[^>]*>/g) ?? [];
    expect(others).toEqual([]);
    expect(image).toMatch(new RegExp(`src="cid:logo@feierbild" width="176" height="19" alt="${brand}"`));
    expect(mail?.html).not.toMatch(/url\(|<link|<script|src="(?!cid:)/);
    const [brought, ...more] = mail?.attachments ?? [];
    expect([brought?.disposition, brought?.contentId, more]).toEqual(['inline', '<logo@feierbild>', []]);
    expect(await sharp(brought?.content as ArrayBuffer).metadata()).toMatchObject({ width: 480, height: 53 });
  });

  it('keeps its lines and its readers with any titles and names', async () => {
    const hostile = 'Fest\r\nBcc: spion@boese.example\r\n\r\n<script>alert(1)</script> https://boese.example/gewinn';
    await created({ title: hostile, host: { email: HOST.email, name: 'Lena\r\nCc: spion@boese.example' } });
    const [mail] = await arrived();
    expect([mail?.envelope, mail?.cc, mail?.bcc]).toEqual([[HOST.email], undefined, undefined]);
    expect(mail?.headers.map(({ key }) => key).sort()).toEqual(
      ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    );
    expect(mail?.subject).toBe('Ihr Zugang zu „Fest Bcc: spion@boese.example <script>alert(1)</script> https://boese.example/gewinn“');
    expect(mail?.html).not.toMatch(/<script|<img|src=|url\(/i);
    // Anybody may fill in the form of a title, so only our own addresses become links.
    expect(mail?.html).toContain('https://boese.example/gewinn');
    const links = [...(mail?.html?.matchAll(/href="([^"]*)"/g) ?? [])].map(([, url]) => url);
    expect([links.length > 0, links.filter((url) => !url?.startsWith('http://fotos.example/'))]).toEqual([true, []]);
    expect(mail?.attachments).toEqual([]);
    for (const email of ['a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example', '<a@b.example>']) {
      expect((await ask('POST', '/admin/create_event', { ...FEAST, host: { email } })).status).toBe(400);
    }
  });

  it('says what the operator wrote, from whom the operator is, and refuses texts that cannot be filled in', async () => {
    const text = { subject: '{titel}: bitte Passwort setzen', body: 'Servus {anrede}!\n\n[Los]({link})\n\n{marke}' };
    const set = (texts: object, version: number) =>
      ask('PUT', '/admin/settings/mail', { version, value: { senderName: 'Die Fotobude', replyTo: 'team@zelt.example', texts } });
    for (const wrong of [
      { ...text, body: 'Ohne Weg' },
      { ...text, body: '{link} {gast}' },
      { ...text, subject: 'a\nb' },
    ]) {
      const { status, fields } = await set({ invitation: wrong }, 0).then(async (answer) => ({
        ...((await answer.json()) as { fields: object }),
        status: answer.status,
      }));
      expect([status, Object.keys(fields)]).toEqual([400, [expect.stringMatching(/^texts\.invitation\.(body|subject)$/)]]);
    }
    expect((await set({ invitation: text }, 0)).status).toBe(200);
    await created({ title: '{link} [x]({code})' });
    const [mail] = await arrived();
    expect(mail).toMatchObject({
      subject: '{link} [x]({code}): bitte Passwort setzen',
      from: { name: 'Die Fotobude' },
      replyTo: [{ address: 'team@zelt.example' }],
    });
    expect(mail?.text).toContain(`Servus Hallo ${HOST.name}!\n\nLos:\nhttp://fotos.example/einladung/`);
    const tried = await ask('POST', '/admin/mail/test', { to: 'chefin@zelt.example' });
    expect(await tried.json()).toEqual({ accepted: true, answer: '250 OK: angenommen' });
    expect((await arrived())[0]?.subject).toMatch(/^Testmail von /);
    const { samples } = (await (await ask('GET', '/admin/mail')).json()) as { samples: Record<MailTopic, MailValues> };
    // A variable without a sample value would be shown empty.
    for (const topic of MAIL_TOPICS) expect(Object.keys(samples[topic]), topic).toEqual(expect.arrayContaining([...variablesOf(topic)]));
  });

  it('holds no markup and no line of a header that an operator’s words may have', async () => {
    const body = '<img src=x onerror=alert(1)> {anrede}\n\n[<b>Los</b>]({link})\n\nMehr: https://zelt.example/a?b=1&c="2';
    const value = {
      senderName: 'Fotobude\r\nBcc: spion@boese.example',
      texts: { invitation: { subject: '{titel} <i>', body } },
    };
    const set = (changes: object) => ask('PUT', '/admin/settings/mail', { version: 0, value: { ...value, ...changes } });
    for (const replyTo of ['a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example'])
      expect((await set({ replyTo })).status).toBe(400);
    expect((await set({})).status).toBe(200);
    await created();
    const [mail] = await arrived();
    expect([mail?.envelope, mail?.bcc, mail?.from]).toEqual([
      [HOST.email],
      undefined,
      { name: 'Fotobude Bcc: spion@boese.example', address: 'feier@zelt.example' },
    ]);
    expect(mail?.subject).toBe('Lenas Fest <i>');
    expect(mail?.html).not.toMatch(/<(img|b|i)[ >]/);
    expect(mail?.html).toContain('&#60;b&#62;Los&#60;/b&#62;</a>');
    expect(mail?.html).toContain('<a class="link" href="https://zelt.example/a?b=1&#38;c=">https://zelt.example/a?b=1&#38;c=</a>&#34;2');
  });

  it.each([
    ['nothing but the preview of an unreadable original', 0, '1 Vorschau'],
    ['a photo, too', 1, '1 Foto und 1 Vorschau'],
  ])('says what a ZIP has, where that is %s', async (_what, photos, said) => {
    clock.time = Date.parse('2026-05-16T18:00:00Z');
    const { app } = server;
    // Previews come first only where no event is older than the schema.
    const event = await app.event({ ...FEAST, created_at: Date.now() });
    await app.db.kysely
      .insertInto('host_contacts')
      .values({ event_id: event.id, ...HOST, muted: '' })
      .execute();
    for (let n = 0; n < photos; n++) expect((await app.upload(event.code, await drawPhoto())).status).toBe(201);
    const device = newDevice();
    const { announce, append } = tusClient(() => ({ app, code: event.code, device }));
    const key = newKey();
    const broken = Buffer.alloc(9000, 7);
    const { id } = (await announce(key, await previewOf(await drawShape(3)), broken.length)).json.photo;
    expect((await append(`/uploads/${key}`, 0, broken)).status).toBe(201);
    await expect.poll(async () => (await app.photos.byId(id))?.state).toBe('unreadable');
    expect((await ask('POST', `/api/events/${event.code}/create-zip`, undefined, { cookie: event.cookie })).status).toBe(202);
    await expect.poll(async () => (await app.outbox.list({ limit: 9 })).some(({ topic }) => topic === 'zip_ready')).toBe(true);
    const [mail] = await arrived();
    expect(mail?.text).toContain(`das ZIP mit ${said} von „Lenas Fest“ ist fertig`);
  });
});
