import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSmtp, type MailServer } from './smtp.ts';
import { canTls, certificate, openMailbox, openStrange, type Mailbox } from './testing/mailbox.ts';

const MESSAGE = { from: 'feier@zelt.example', to: 'lena@example.org', subject: 'Hallo', text: 'Guten Tag' };
/** Limit of steps that must time out. */
const SOON_MS = 300;
/** Limit of steps that must not time out, also after a standstill of this process. */
const PATIENT_MS = 1500;

if (!canTls) console.log('skipped: mail over TLS; it needs openssl');

describe('mail', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const each of opened) await each.close();
  });
  async function mailboxWith(options: Parameters<typeof openMailbox>[0]): Promise<Mailbox> {
    const mailbox = await openMailbox(options);
    opened.push(mailbox);
    return mailbox;
  }
  const smtpTo = (server: Partial<MailServer>, options: { ca?: string; stepMs?: number; sendMs?: number } = {}) =>
    createSmtp({ host: '127.0.0.1', port: 0, tls: 'none', ...server }, { ehlo: 'fotos.example', ...options });

  it('is delivered once the server says so, with its own answer', async () => {
    const { port, arrived } = await mailboxWith({});
    expect(await smtpTo({ port }).send(MESSAGE)).toEqual({ what: 'delivered', answer: '250 OK: angenommen' });
    expect(arrived).toMatchObject([{ subject: 'Hallo', envelope: ['lena@example.org'] }]);
  });

  it('that the server refuses for good is not tried again, that it defers is', async () => {
    const mailbox = await mailboxWith({});
    mailbox.answer = { code: 550, text: '5.1.1 Diese Adresse gibt es nicht' };
    expect(await smtpTo(mailbox).send(MESSAGE)).toEqual({ what: 'refused', answer: '550 5.1.1 Diese Adresse gibt es nicht' });
    mailbox.answer = { code: 450, text: '4.2.0 Greylisted' };
    expect(await smtpTo(mailbox).send(MESSAGE)).toEqual({ what: 'failed', answer: '450 4.2.0 Greylisted' });
    expect(mailbox.arrived).toEqual([]);
  });

  it.each([
    ['a server that says nothing', {}],
    ['a server that greets and is silent', { says: '220 hier\r\n' }],
    ['a server that is cut in the middle of the mail', { says: '220 hier\r\n', cutAt: /^DATA|Subject/m }],
  ])('to %s has failed in bounded time', async (_, strange) => {
    const server = await openStrange(strange);
    opened.push(server);
    const { what, answer } = await smtpTo(server, { stepMs: SOON_MS }).send(MESSAGE);
    const german = /^(Der Mailserver hat nicht rechtzeitig geantwortet|Die Verbindung zum Mailserver [a-zäöü ]+)\.$/;
    expect([what, answer]).toEqual(['failed', expect.stringMatching(german)]);
  });

  it('to a server that drips single bytes has failed in bounded time, too', async () => {
    const server = await openStrange({ says: '220-', dripMs: SOON_MS / 6 });
    opened.push(server);
    const { what } = await smtpTo(server, { stepMs: SOON_MS }).send(MESSAGE);
    expect(what).toBe('failed');
  });

  it('to a server that drips its later answers has failed in bounded time as well', async () => {
    const server = await openStrange({ says: '220 hier\r\n', dripMs: SOON_MS / 6 });
    opened.push(server);
    const { what } = await smtpTo(server, { stepMs: SOON_MS, sendMs: 3 * SOON_MS }).send(MESSAGE);
    expect(what).toBe('failed');
  });

  it.each([
    ['blank lines', '\n'],
    ['lines of one answer', '250-und\r\n'],
    ['a line', 'und'],
    ['answers that nobody asked for', '250 ok\r\n'],
  ])('to a server that says %s without end has failed before it was said for long', async (_, endless) => {
    const server = await openStrange({ says: '220 hier\r\n', floodAt: { command: 'EHLO', with: endless } });
    opened.push(server);
    expect(await smtpTo(server).send(MESSAGE)).toEqual({
      what: 'failed',
      answer: 'Der Mailserver hat anders geantwortet als erwartet.',
    });
    expect(server.heard).toEqual(['EHLO fotos.example']);
  });

  it('that the server looks at for longer than it may be silent before is delivered, once', async () => {
    const server = await openStrange({ says: '220 hier\r\n', verdictMs: 2 * PATIENT_MS });
    opened.push(server);
    expect(await smtpTo(server, { stepMs: PATIENT_MS }).send(MESSAGE)).toEqual({ what: 'delivered', answer: '250 ok' });
    expect(server.heard.filter((line) => line === '.')).toHaveLength(1);
  });

  const login = 'Der Mailserver verlangt eine andere Anmeldung oder Verschlüsselung';
  it.each([
    ['without the login', { MAIL: '530 5.7.0 Authentication required\r\n' }, `${login}: 530 5.7.0 Authentication required`],
    ['with such a login', { RCPT: '535-5.7.8 Not\r\n535 5.7.8 so\r\n' }, `${login}: 535 5.7.8 Not so`],
    ['in the middle of its end', { '.': '421 4.3.2 bye\r\n' }, '421 4.3.2 bye'],
    ['at all, today', { EHLO: '554 nobody\r\n', HELO: '554 home\r\n' }, 'Der Mailserver hat anders geantwortet als erwartet: 554 home'],
    [
      'while it cannot look up logins',
      { EHLO: '250-hier\r\n250 AUTH PLAIN\r\n', AUTH: '454 4.7.0 later\r\n' },
      'Der Mailserver kann die Anmeldung gerade nicht prüfen: 454 4.7.0 later',
    ],
  ])('that a server does not take %s is tried again, and it is said why', async (_, answers, answer) => {
    const server = await openStrange({ says: '220 Gr\xfc\xdfe\r\n', answers });
    opened.push(server);
    expect(await smtpTo({ ...server, auth: { user: 'feier', pass: 'geheim' } }).send(MESSAGE)).toEqual({ what: 'failed', answer });
  });

  it('that is refused in several lines has one line as its answer, with its code once', async () => {
    const server = await openStrange({ says: '220 hier\r\n', answers: { RCPT: '550-5.1.1 There is\r\n550 5.1.1 no Lena\r\n' } });
    opened.push(server);
    expect(await smtpTo(server).send(MESSAGE)).toEqual({ what: 'refused', answer: '550 5.1.1 There is no Lena' });
  });

  it('to nobody says that there is no connection', async () => {
    const { port, close } = await openStrange({});
    await close();
    expect(await smtpTo({ port }).send(MESSAGE)).toMatchObject({
      what: 'failed',
      answer: 'Die Verbindung zum Mailserver wurde abgelehnt: Unter dieser Adresse und diesem Port antwortet keiner.',
    });
  });

  it('to a name that nobody has says so', async () => {
    expect(await smtpTo({ host: 'mail.invalid', port: 25 }).send(MESSAGE)).toEqual({
      what: 'failed',
      answer: 'Diesen Mailserver gibt es nicht, oder sein Name ist gerade nicht zu finden.',
    });
  });

  describe.runIf(canTls)('over TLS', () => {
    let tls: { key: string; cert: string };
    const login = { user: 'feier', pass: 'ge:h@im' };
    beforeAll(async () => {
      tls = await certificate();
    });

    it.each(['always', 'required'] as const)('(%s) goes to a server whose certificate is known, and logs in', async (how) => {
      const { port, arrived } = await mailboxWith({ tls: { ...tls, secure: how === 'always' }, login });
      const server = { host: 'localhost', port, tls: how, auth: login };
      expect(await smtpTo(server, { ca: tls.cert }).send(MESSAGE)).toMatchObject({ what: 'delivered' });
      expect(arrived).toHaveLength(1);
      const wrong = { ...server, auth: { ...login, pass: 'falsch' } };
      expect(await smtpTo(wrong, { ca: tls.cert }).send(MESSAGE)).toEqual({
        what: 'failed',
        answer: expect.stringMatching(/^Der Mailserver hat Benutzername oder Passwort abgelehnt: 535 5\.7\.8/),
      });
    });

    it.each(['always', 'required'] as const)('(%s) goes to no server whose certificate nobody knows', async (how) => {
      const { port, arrived } = await mailboxWith({ tls: { ...tls, secure: how === 'always' } });
      expect(await smtpTo({ host: 'localhost', port, tls: how }).send(MESSAGE)).toEqual({
        what: 'failed',
        answer: 'Das Zertifikat des Mailservers ist nicht vertrauenswürdig, oder es gehört zu einem anderen Namen.',
      });
      expect(arrived).toEqual([]);
    });

    it('goes to no server whose certificate has run out, and says so', async () => {
      const old = await certificate({ days: -1 });
      const { port, arrived } = await mailboxWith({ tls: { ...old, secure: true } });
      expect(await smtpTo({ host: 'localhost', port, tls: 'always' }, { ca: old.cert }).send(MESSAGE)).toEqual({
        what: 'failed',
        answer: 'Das Zertifikat des Mailservers ist abgelaufen.',
      });
      expect(arrived).toEqual([]);
    });

    it('goes to no server that offers none, where it is required', async () => {
      const { port, arrived } = await mailboxWith({ login });
      const { what } = await smtpTo({ port, tls: 'required', auth: login }).send(MESSAGE);
      expect([what, arrived]).toEqual(['failed', []]);
    });

    it.each([
      [
        'has none to offer',
        '454 4.7.0 our certificate is gone\r\n',
        'Die Verbindung zum Mailserver ließ sich nicht verschlüsseln: 454 4.7.0 our certificate is gone',
      ],
      ['goes on in plain text', '220 go\r\n250 AUTH PLAIN\r\n', 'Der Mailserver hat nicht rechtzeitig geantwortet.'],
    ])('says nothing but its name to a server that %s', async (_, STARTTLS, answer) => {
      const EHLO = '250-hier\r\n250 AUTH PLAIN\r\n';
      const server = await openStrange({ says: '220 hier\r\n', answers: { EHLO, STARTTLS } });
      opened.push(server);
      const sent = await smtpTo({ ...server, tls: 'required', auth: login }, { stepMs: PATIENT_MS }).send(MESSAGE);
      expect(sent).toEqual({ what: 'failed', answer });
      expect(server.heard.slice(0, 2)).toEqual(['EHLO fotos.example', 'STARTTLS']);
      expect(server.heard.join()).not.toMatch(/AUTH|MAIL/);
    });

    it('goes to no server whose encryption is too old, or which has none, and says so', async () => {
      const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      const { port, arrived } = await mailboxWith({ tls: { ...tls, ...old, secure: true } });
      const none = await mailboxWith({});
      for (const server of [{ host: 'localhost', port }, none])
        expect(await smtpTo({ ...server, tls: 'always' }, { ca: tls.cert }).send(MESSAGE)).toEqual({
          what: 'failed',
          answer: 'Die Verbindung zum Mailserver ließ sich nicht verschlüsseln.',
        });
      expect([arrived, none.arrived]).toEqual([[], []]);
    });
  });
});
