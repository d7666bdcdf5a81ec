import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { RUN_FOLDER } from '../../../testing/run-folder.ts';

/** A mail as it arrived. */
export interface Arrived extends Email {
  /** As it came over the wire. */
  raw: string;
  envelope: string[];
}

export interface Mailbox {
  port: number;
  arrived: Arrived[];
  /** Said of a recipient before it is taken; null: it is taken. */
  answer: { code: number; text: string } | null;
  /** Mails taken before the next one is answered. */
  accepting(): Promise<void>;
  close(): Promise<void>;
}

export const OPENSSL = '/usr/bin/openssl';
export const canTls = existsSync(OPENSSL);

/** A certificate for localhost that nobody knows; with negative days it has run out. */
export async function certificate({ days = 2 } = {}): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(RUN_FOLDER, 'certificate-'));
  const [key, request, names, cert] = ['key', 'request', 'names', 'cert'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  const openssl = (...options: string[]) => execFileSync(OPENSSL, options, { stdio: 'pipe' });
  writeFileSync(names, 'subjectAltName=DNS:localhost');
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-new', ...curve, '-subj', '/CN=localhost', '-keyout', key, '-out', request);
  openssl('x509', '-req', '-in', request, '-signkey', key, '-days', String(days), '-extfile', names, '-out', cert);
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  await rm(folder, { recursive: true });
  return made;
}

interface Options {
  tls?: { key: string; cert: string; secure: boolean };
  login?: { user: string; pass: string };
}

/** A real mail server that keeps what it takes. */
export async function openMailbox({ tls, login }: Options = {}): Promise<Mailbox> {
  const mailbox: Mailbox = { port: 0, arrived: [], answer: null, accepting: async () => undefined, close: async () => undefined };
  const server = new SMTPServer({
    ...(tls ?? { disabledCommands: ['STARTTLS'] }),
    authOptional: !login,
    // Over the loopback alone.
    allowInsecureAuth: !tls,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.pass) return done(null, { user: username });
      return done(Object.assign(new Error('5.7.8 Anmeldung abgelehnt'), { responseCode: 535 }));
    },
    onRcptTo(_address, _session, done) {
      const { answer } = mailbox;
      done(answer && Object.assign(new Error(answer.text), { responseCode: answer.code }));
    },
    onData(stream, { envelope }, done) {
      void (async () => {
        const pieces: Buffer[] = [];
        for await (const piece of stream) pieces.push(piece as Buffer);
        const raw = Buffer.concat(pieces).toString('latin1');
        mailbox.arrived.push({
          ...(await PostalMime.parse(Buffer.concat(pieces))),
          raw,
          envelope: envelope.rcptTo.map(({ address }) => address),
        });
        await mailbox.accepting();
      })().then(() => done(null, 'OK: angenommen'), done);
    },
  });
  // A client that distrusts us is the client's matter.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  mailbox.port = (server.server.address() as AddressInfo).port;
  mailbox.close = () => new Promise((resolve) => server.close(() => resolve()));
  return mailbox;
}

interface Strange {
  /** Sent to each connection. */
  says?: string;
  /** After the line that this fits the connection is cut; others are answered. */
  cutAt?: RegExp;
  /** A single byte is sent after each of these. */
  dripMs?: number;
  /** What is said to a command instead of the usual, by its name; `.` is the end of the mail. */
  answers?: Record<string, string>;
  /** Said without end once it was asked for this. */
  floodAt?: { command: string; with: string };
  /** The end of the mail is answered so much later. */
  verdictMs?: number;
}

interface StrangeServer {
  port: number;
  /** The commands that came, with the lines of mails. */
  heard: string[];
  close(): Promise<void>;
}

/** A server that misbehaves. Without `cutAt`, `answers`, `floodAt` or `verdictMs` it answers nothing. */
export async function openStrange({ says = '', cutAt, dripMs, answers, floodAt, verdictMs = 0 }: Strange): Promise<StrangeServer> {
  const sockets = new Set<Socket>();
  const heard: string[] = [];
  const isTalking = Boolean(cutAt || answers || floodAt || verdictMs);
  const answerTo = (command: string): string => answers?.[command] ?? (command === 'DATA' ? '354 go on\r\n' : '250 ok\r\n');
  const server = createServer((socket) => {
    let begun = '';
    let isMail = false;
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (says) socket.write(says);
    const drip = dripMs === undefined ? undefined : setInterval(() => socket.write('.'), dripMs);
    socket.on('close', () => clearInterval(drip));
    socket.on('data', (data) => {
      const lines = (begun + data.toString()).split('\r\n');
      begun = lines.pop() ?? '';
      for (const line of lines) {
        heard.push(line);
        if (cutAt?.test(line)) return void socket.destroy();
        if (!isTalking || (isMail && line !== '.')) continue;
        const command = line.split(' ')[0] ?? '';
        if (floodAt?.command === command) flood(socket, floodAt.with);
        else if (isMail) setTimeout(() => socket.write(answerTo('.')), verdictMs);
        else socket.write(answerTo(command));
        isMail = command === 'DATA';
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Says it for as long as somebody listens. */
function flood(socket: Socket, piece: string): void {
  const many = Buffer.from(piece.repeat(64 * 1024));
  const more = (): void => {
    while (!socket.destroyed && socket.write(many));
    socket.once('drain', more);
  };
  more();
}
