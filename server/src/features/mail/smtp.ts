import { PassThrough } from 'node:stream';
import { createTransport, type NodemailerError, type SendMailOptions, type SMTPTransportOptions } from 'nodemailer';
import { cleanText, cutText } from '../../lib/clean-text.ts';
import type { Outcome } from '../outbox/outbox.ts';
import { openConnection, type Connection } from './connection.ts';

/** A mail server with the login at it. */
export interface MailServer {
  host: string;
  port: number;
  /** `always` encrypts from the first byte, `required` by STARTTLS, `none` only on this machine. */
  tls: 'always' | 'required' | 'none';
  auth?: { user: string; pass: string };
}

/** Longest steps of a connection: name and connection, the greeting, and any silence until the mail is handed over. */
const STEP_MS = { connectMs: 10_000, greetingTimeout: 10_000, silentMs: 20_000 };
/**
 * Longest sending as a whole; it also ends a server that sends a byte now and then. A server that has the mail may use all of it for its
 * answer: it checks for spam and viruses first, and a mail that is given up then is sent twice (RFC 5321, 4.5.3.2.6).
 */
const SEND_MS = 60_000;

/** German texts by the error codes of nodemailer and of the system. */
const TROUBLE: Record<string, string> = {
  EDNS: 'Diesen Mailserver gibt es nicht, oder sein Name ist gerade nicht zu finden',
  ENOTFOUND: 'Diesen Mailserver gibt es nicht, oder sein Name ist gerade nicht zu finden',
  EAI_AGAIN: 'Diesen Mailserver gibt es nicht, oder sein Name ist gerade nicht zu finden',
  ETIMEDOUT: 'Der Mailserver hat nicht rechtzeitig geantwortet',
  EABORT: 'Der Mailserver hat nicht rechtzeitig geantwortet',
  ECONNREFUSED: 'Die Verbindung zum Mailserver wurde abgelehnt: Unter dieser Adresse und diesem Port antwortet keiner',
  EHOSTUNREACH: 'Der Mailserver ist von hier aus nicht zu erreichen',
  ENETUNREACH: 'Der Mailserver ist von hier aus nicht zu erreichen',
  ECONNECTION: 'Die Verbindung zum Mailserver kam nicht zustande oder brach ab',
  ESOCKET: 'Die Verbindung zum Mailserver kam nicht zustande oder brach ab',
  ECONNRESET: 'Die Verbindung zum Mailserver brach ab',
  ETLS: 'Die Verbindung zum Mailserver ließ sich nicht verschlüsseln',
  EAUTH: 'Der Mailserver hat Benutzername oder Passwort abgelehnt',
  EPROTOCOL: 'Der Mailserver hat anders geantwortet als erwartet',
};
const LOGIN_LATER = 'Der Mailserver kann die Anmeldung gerade nicht prüfen';
const WANTS_LOGIN = 'Der Mailserver verlangt eine andere Anmeldung oder Verschlüsselung';
const CERTIFICATE = 'Das Zertifikat des Mailservers ist nicht vertrauenswürdig, oder es gehört zu einem anderen Namen';
const EXPIRED = 'Das Zertifikat des Mailservers ist abgelaufen';
const TOO_NEW = 'Das Zertifikat des Mailservers gilt noch nicht, oder die Uhr dieses Servers geht nach';
const UNKNOWN = 'Die Mail konnte nicht übergeben werden';
/** Error codes of OpenSSL and Node for faulty certificates. */
const IS_CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;
const IS_TLS = /^ERR_SSL_|^ERR_TLS_|^EPROTO$/;
/** Codes of replies about the login or the encryption, not about the mail (RFC 4954, RFC 3207). */
const OF_LOGIN = new Set([530, 534, 535, 538]);
/** The reply to a command out of sequence: the conversation failed, not the mail. */
const OUT_OF_STEP = 503;
/** Longest part of a mail server's own words that is shown, characters. */
const ANSWER_MAX = 300;

/** Returns the fault in German, followed by the mail server's own words in its language. */
function troubleOf(failed: Failed): string {
  const { response } = failed;
  const said = faultIn(failed);
  if (!response) return `${said}.`;
  return said === null ? lineOf(response) : `${said}: ${lineOf(response)}`;
}

/** Returns the fault in German; null if the mail was refused and only the server's own words explain it. */
function faultIn({ code = '', originalCode = '', response, responseCode = 0, message }: Failed): string | null {
  if (OF_LOGIN.has(responseCode) && isOfMail(code)) return WANTS_LOGIN;
  if (response && isOfMail(code)) return null;
  if (code === 'EAUTH' && responseCode >= 400 && responseCode < 500) return LOGIN_LATER;
  const codes = [originalCode, response ? '' : (/\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? ''), code];
  if (codes.includes('CERT_HAS_EXPIRED')) return EXPIRED;
  if (codes.includes('CERT_NOT_YET_VALID')) return TOO_NEW;
  if (codes.some((one) => IS_CERTIFICATE.test(one)) || (!response && /certificate|altnames/i.test(message))) return CERTIFICATE;
  if (codes.some((one) => IS_TLS.test(one))) return TROUBLE.ETLS as string;
  return codes.map((one) => TROUBLE[one]).find(Boolean) ?? UNKNOWN;
}

const isOfMail = (code: string): boolean => code === 'EENVELOPE' || code === 'EMESSAGE';

/** Shortens a reply of any number of lines to one line, with its code once. */
function lineOf(response: string): string {
  const line = response.replace(/^(\d{3})-/, '$1 ').replace(/\r?\n(?:\d{3}[ -])?(?:\d\.\d{1,3}\.\d{1,3} )?/g, ' ');
  return cutText(cleanText(line), ANSWER_MAX);
}

/** An error; `originalCode` is that of the system or of OpenSSL, below nodemailer's own. */
type Failed = NodemailerError & { originalCode?: string };

export type Smtp = ReturnType<typeof createSmtp>;

/**
 * Creates the sending to a server. Certificates are always checked. `ehlo` is the name by which we introduce ourselves; `ca`, `stepMs` and
 * `sendMs` are for tests.
 */
export function createSmtp(
  { host, port, tls, auth }: MailServer,
  { ehlo, ca, stepMs, sendMs = SEND_MS }: { ehlo: string; ca?: string; stepMs?: number; sendMs?: number },
) {
  const { greetingTimeout, ...limits } = stepMs === undefined ? STEP_MS : { connectMs: stepMs, greetingTimeout: stepMs, silentMs: stepMs };

  /** Creates a transport for one mail, as it knows its connection. */
  function transport() {
    let connection: Connection | undefined;
    const options: SMTPTransportOptions = {
      host,
      port,
      secure: tls === 'always',
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'none',
      name: ehlo,
      ...(auth && { auth }),
      greetingTimeout,
      getSocket: (_options, done) =>
        void openConnection({ host, port }, limits).then(
          (opened) => {
            connection = opened;
            done(null, { connection: opened.stream });
          },
          (error: Error) => done(error, false),
        ),
      tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
      // Operators' texts must not name files or addresses to load.
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    const made = createTransport(options);
    made.use('stream', (mail, done) => {
      mail.message.processFunc((whole) => whole.pipe(new PassThrough().once('end', () => connection?.awaitVerdict())));
      done();
    });
    return made;
  }

  return {
    /** Makes one attempt and returns the server's own answer. Never throws. */
    async send(message: SendMailOptions, signal?: AbortSignal): Promise<Exclude<Outcome, { what: 'later' }>> {
      const limit = AbortSignal.timeout(sendMs);
      try {
        const { response } = await transport().sendMail({ ...message, signal: signal ? AbortSignal.any([signal, limit]) : limit });
        return { what: 'delivered', answer: lineOf(response) };
      } catch (error) {
        const failed = error as Failed;
        const { code = '', responseCode = 0 } = failed;
        const forGood = isOfMail(code) && responseCode >= 500 && responseCode !== OUT_OF_STEP && !OF_LOGIN.has(responseCode);
        return { what: forGood ? 'refused' : 'failed', answer: troubleOf(failed) };
      }
    },
  };
}
