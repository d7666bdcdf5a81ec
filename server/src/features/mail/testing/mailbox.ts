import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { RUN_FOLDER } from '../../../testing/run-folder.ts';

/** A mail as it arrived. */
export interface Arrived extends Email {
  /** The bytes from the wire as text. */
  raw: string;
  envelope: string[];
}

export interface Mailbox {
  port: number;
  arrived: Arrived[];
  /** The refusal of recipients; null to accept them. */
  answer: { code: number; text: string } | null;
  /** Runs after a mail was taken, before that is answered. */
  accepting(): Promise<void>;
  close(): Promise<void>;
}

export const OPENSSL = '/usr/bin/openssl';
export const canTls = existsSync(OPENSSL);

/**
 * Creates a self-signed certificate for localhost; with negative days it has expired.
 * Each has a subject of its own: among trusted roots of one subject OpenSSL may take the wrong one.
 */
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
  openssl('req', '-new', ...curve, '-subj', `/CN=${basename(folder)}`, '-keyout', key, '-out', request);
  openssl('x509', '-req', '-in', request, '-signkey', key, '-days', String(days), '-extfile', names, '-out', cert);
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  await rm(folder, { recursive: true });
  return made;
}

interface Options {
  tls?: { key: string; cert: string; secure: boolean };
  login?: { user: string; pass: string };
}

/** Opens a real mail server that keeps the mails it takes. */
export async function openMailbox({ tls, login }: Options = {}): Promise<Mailbox> {
  const mailbox: Mailbox = { port: 0, arrived: [], answer: null, accepting: async () => undefined, close: async () => undefined };
  const server = new SMTPServer({
    ...(tls ?? { disabledCommands: ['STARTTLS'] }),
    authOptional: !login,
    // Allows a login without TLS, as it runs on the loopback only.
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
  // A client that refuses our certificate causes an error here; its test expects that.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  mailbox.port = (server.server.address() as AddressInfo).port;
  mailbox.close = () => new Promise((resolve) => server.close(() => resolve()));
  return mailbox;
}

interface Strange {
  /** Sent to each connection. */
  says?: string;
  /** Cuts the connection after a line that matches; other lines are answered. */
  cutAt?: RegExp;
  /** Pause between single bytes, which are sent without end. */
  dripMs?: number;
  /** Replies to commands by name in place of the usual ones; `.` is the end of the mail. */
  answers?: Record<string, string>;
  /** Sends a text without end after a command. */
  floodAt?: { command: string; with: string };
  /** Delay of the answer to the end of the mail. */
  verdictMs?: number;
}

interface StrangeServer {
  port: number;
  /** The received commands, with the lines of mails. */
  heard: string[];
  close(): Promise<void>;
}

/**
 * Opens a server that misbehaves. Without `cutAt`, `answers`, `floodAt` or `verdictMs` it answers nothing; after STARTTLS it answers
 * nothing more, as the bytes of an encrypted greeting may look like ended lines.
 */
export async function openStrange({ says = '', cutAt, dripMs, answers, floodAt, verdictMs = 0 }: Strange): Promise<StrangeServer> {
  const sockets = new Set<Socket>();
  const heard: string[] = [];
  const isTalking = Boolean(cutAt || answers || floodAt || verdictMs);
  const answerTo = (command: string): string => answers?.[command] ?? (command === 'DATA' ? '354 go on\r\n' : '250 ok\r\n');
  const server = createServer((socket) => {
    let begun = '';
    let isMail = false;
    let isEncrypted = false;
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
        if (!isTalking || isEncrypted || (isMail && line !== '.')) continue;
        const command = line.split(' ')[0] ?? '';
        if (floodAt?.command === command) flood(socket, floodAt.with);
        else if (isMail) setTimeout(() => socket.write(answerTo('.')), verdictMs);
        else socket.write(answerTo(command));
        isMail = command === 'DATA';
        isEncrypted = command === 'STARTTLS';
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

/** Sends a piece again and again until the socket closes. */
function flood(socket: Socket, piece: string): void {
  const many = Buffer.from(piece.repeat(64 * 1024));
  const more = (): void => {
    while (!socket.destroyed && socket.write(many));
    socket.once('drain', more);
  };
  more();
}
