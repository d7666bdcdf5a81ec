import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../testing/system.ts';
import { createTargets, isPublicAddress, troubleOf } from './target.ts';

const HEADERS = { 'content-type': 'application/json' };
/** Longest delivery, or answer, in tests where this limit ends it. */
const SHORT_MS = 300;

describe('what a webhook’s address leads to', () => {
  it.each([
    '127.0.0.1.',
    '127.1',
    '2130706433.',
    '0x7f000001',
    '017700000001',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '[0:0:0:0:0:ffff:10.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b:1::7f00:1]',
    '[fe80::1]',
    '[fd00::1]',
    '169.254.169.254.',
  ])('is refused where it is private, however it is written: %s', async (host) => {
    const { mistakeIn, post } = createTargets({ allowPrivate: false });
    expect(await mistakeIn(`https://${host}/`)).toMatch(/privates Netz/);
    await expect(post(`https://${host}/`, HEADERS, '{}', new AbortController().signal)).rejects.toThrow('privates Netz');
  });

  it.each(['10.0.0.1', '127.0.0.1', '192.168.1.5', '100.64.0.1', '[fd00::1]', '[::1]', '[::ffff:10.0.0.1]'])(
    'may be in the own network where that is allowed: %s',
    async (host) => {
      expect(await createTargets({ allowPrivate: true }).mistakeIn(`http://${host}/`)).toBeNull();
    },
  );

  it.each([
    '169.254.169.254',
    '169.254.169.254.',
    '2852039166',
    '[fe80::1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::1]',
    '0.0.0.0',
    '[::]',
    '224.0.0.1',
    '255.255.255.255',
    '100.100.100.200',
    '168.63.129.16',
    '[::ffff:a83f:8110]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
  ])('is never the machine’s own line, nor a way around that, under any setting: %s', async (host) => {
    const { mistakeIn, post, get } = createTargets({ allowPrivate: true });
    expect(await mistakeIn(`http://${host}/`)).toMatch(/wird nie gesendet/);
    await expect(post(`http://${host}/`, HEADERS, '{}', new AbortController().signal)).rejects.toThrow('wird nie gesendet');
    expect(await get(new URL(`http://${host}/`), new AbortController().signal)).toBeNull();
  });

  it('is sent nothing in the clear where that is not allowed, though it was saved while it was', async () => {
    const resolve = async () => [{ address: '93.184.216.34', family: 4 }];
    const { post, get } = createTargets({ allowPrivate: false, resolve });
    const posted = post('http://haken.example/', HEADERS, '{}', new AbortController().signal);
    await expect(posted).rejects.toThrow('beginnt nicht mit https://');
    expect(await get(new URL('http://haken.example/1.jpg'), new AbortController().signal)).toBeNull();
  });

  it.each(['localhost', 'localhost.', 'a.localhost'])('is refused where it is %s, which systems resolve differently', async (host) => {
    expect(await createTargets({ allowPrivate: false }).mistakeIn(`https://${host}/`)).not.toBeNull();
  });

  it('is asked for once for each delivery, and a name that then leads elsewhere changes nothing', async () => {
    const told = [['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34', '::1'], ['::ffff:127.0.0.1']];
    const { mistakeIn, post } = createTargets({
      allowPrivate: false,
      resolve: async () => (told.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    });
    expect(await mistakeIn('https://haken.example/')).toBeNull();
    for (let left = told.length; left > 0; left--) {
      await expect(post('https://haken.example/', HEADERS, '{}', new AbortController().signal)).rejects.toThrow('privates Netz');
      expect(told).toHaveLength(left - 1);
    }
    await expect(post('https://haken.example/', HEADERS, '{}', new AbortController().signal)).rejects.toThrow('no address');
  });

  it('is given up where nobody says what it is', async () => {
    const { mistakeIn, post } = createTargets({ allowPrivate: false, resolve: () => new Promise(() => {}), deliveryMs: SHORT_MS });
    expect(await mistakeIn('https://haken.example/')).toBe('Diese Adresse ist gerade nicht zu finden.');
    await expect(post('https://haken.example/', HEADERS, '{}', new AbortController().signal)).rejects.toThrow('no answer');
  });
});

describe('a delivery ends', () => {
  let server: Server | undefined;
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server?.close();
  });

  /** Delivers to a server that handles each connection by `answer`, once it has received something. */
  async function deliver(
    answer: (socket: Socket) => void,
    limits: { deliveryMs?: number; answerMs?: number } = {},
  ): Promise<{ status: number; text: string }> {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).once('data', () => answer(socket));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { post } = createTargets({ allowPrivate: true, ...limits });
    return post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, HEADERS, '{}', new AbortController().signal);
  }
  /** Writes again and again, until the other side closes the connection. */
  const endlessly = (socket: Socket, piece: string): void => {
    const more = (): void => {
      if (!socket.destroyed) socket.write(piece, () => setImmediate(more));
    };
    more();
  };

  const LATE = /^Die andere Seite hat nicht rechtzeitig geantwortet\.$/;
  const BROKEN = /^Die Verbindung kam nicht zustande oder brach ab: \S/;
  it.each<[string, RegExp, (socket: Socket) => void]>([
    ['nothing', LATE, () => undefined],
    ['no end of interim answers', LATE, (socket) => endlessly(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    [
      'no end of headers',
      BROKEN,
      (socket) => void socket.write('HTTP/1.1 200 OK\r\n', () => endlessly(socket, `x-${'a'.repeat(200)}: b\r\n`)),
    ],
    ['no HTTP', BROKEN, (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['the end of the connection', BROKEN, (socket) => socket.destroy()],
  ])('where the other side answers %s: it has failed, and that is said in German', async (_, said, answer) => {
    const limits = said === LATE ? { deliveryMs: SHORT_MS } : {};
    expect(await deliver(answer, limits).then(() => '', troubleOf)).toMatch(said);
  });

  it('where nobody is, at none of its addresses', async () => {
    const port = await freePort();
    const both = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    const { post } = createTargets({ allowPrivate: true, resolve: async () => both });
    const trying = post(`http://haken.example:${port}/`, HEADERS, '{}', new AbortController().signal);
    expect(await trying.then(() => '', troubleOf)).toMatch(BROKEN);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['slowly', (socket) => socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\nda')],
    ['without end', (socket) => void socket.write('HTTP/1.1 202 Accepted\r\n\r\nda', () => endlessly(socket, 'x'.repeat(65_536)))],
    ['with less than it said', (socket) => socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\nda')],
    [
      'with what it says is packed',
      (socket) => socket.end('HTTP/1.1 202 Accepted\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\nda'),
    ],
  ])('where the other side answers %s: its status counts', async (manner, answer) => {
    const { status, text } = await deliver(answer, manner === 'slowly' ? { answerMs: SHORT_MS } : {});
    expect([status, text.slice(0, 2)]).toEqual([202, 'da']);
    expect(text.length).toBeLessThanOrEqual(2000);
  });

  const OK = 'HTTP/1.1 202 Accepted\r\nconnection: close\r\n\r\n';
  it.each([
    ['in UTF-8', Buffer.from('Größe fehlt'), 'Größe fehlt'],
    ['in the letters of Windows', Buffer.from('Gr\xf6\xdfe fehlt, Spa\xdf', 'latin1'), 'Größe fehlt, Spaß'],
    ['in UTF-8, longer than what is read, with a letter across its end', Buffer.from(`a${'ü'.repeat(3000)}`), /^aü{999}$/],
    ['in the letters of Windows, longer than what is read', Buffer.from('\xfc'.repeat(5000), 'latin1'), /^ü{2000}$/],
  ])('and is read as it was meant: %s', async (_, body, said) => {
    const { text } = await deliver((socket) => socket.write(OK, () => socket.end(body)));
    expect(text).toMatch(said);
  });
});

it('an address is public or not', () => {
  const inner = ['10.1.2.3', '100.64.0.1', '127.9.9.9', '169.254.1.1', '172.16.0.1', '192.168.0.1', '192.0.0.8', '192.0.2.1', '198.18.0.1'];
  const more = ['198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '0.0.0.0', '192.88.99.1', 'haken.example', ''];
  const six = [
    '::',
    '::1',
    '::7f00:1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:808:808::1',
  ];
  const others = ['3fff::1', '5f00::1', 'fc00::1', 'fd12::1', 'fe80::1', 'fec0::1', 'ff02::1'];
  for (const address of [...inner, ...more, ...six, ...others]) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
});
