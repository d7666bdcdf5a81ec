import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer';
import type { Outcome } from '../outbox/outbox.ts';

/** Where mail is handed over, and by whom. */
export interface MailServer {
  host: string;
  port: number;
  /** `always`: from the first byte; `required`: by STARTTLS; `none`: on this very machine alone. */
  tls: 'always' | 'required' | 'none';
  auth?: { user: string; pass: string };
}

/** Longest steps of a connection: the name, the connection, the greeting, and any silence after it. */
const STEP_MS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
/** Longest sending as a whole: a server that says a byte now and then is cut, too. */
const SEND_MS = 60_000;

/** What went wrong, by the codes of nodemailer and of the system. */
const TROUBLE: Record<string, string> = {
  EDNS: 'Diesen Mailserver gibt es nicht, oder sein Name ist gerade nicht zu finden',
  ENOTFOUND: 'Diesen Mailserver gibt es nicht, oder sein Name ist gerade nicht zu finden',
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
};
const CERTIFICATE = 'Das Zertifikat des Mailservers ist nicht vertrauenswürdig, oder es gehört zu einem anderen Namen';
const UNKNOWN = 'Die Mail konnte nicht übergeben werden';
/** As OpenSSL and Node name what is wrong with a certificate. */
const IS_CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

/** The fault, in German, with the mail server's own words in its language. */
function troubleOf({ code = '', response, cause, message }: NodemailerError): string {
  // Of a mail that was refused the server's words are all there is to say.
  if (response && (code === 'EENVELOPE' || code === 'EMESSAGE')) return response;
  const inner = cause as NodeJS.ErrnoException | undefined;
  const codes = [inner?.code ?? '', /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? '', code];
  const certificate = codes.some((one) => IS_CERTIFICATE.test(one)) || /certificate|altnames/i.test(message);
  const said = certificate ? CERTIFICATE : (codes.map((one) => TROUBLE[one]).find(Boolean) ?? UNKNOWN);
  return response ? `${said}: ${response}` : `${said}.`;
}

export type Smtp = ReturnType<typeof createSmtp>;

/** Hands mail to a server. Certificates are always checked. `ehlo`: by which name we introduce ourselves; `ca` and `stepMs` are for tests. */
export function createSmtp({ host, port, tls, auth }: MailServer, { ehlo, ca, stepMs }: { ehlo: string; ca?: string; stepMs?: number }) {
  const steps = stepMs === undefined ? STEP_MS : Object.fromEntries(Object.keys(STEP_MS).map((name) => [name, stepMs]));
  const transport = createTransport({
    host,
    port,
    secure: tls === 'always',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none',
    name: ehlo,
    ...(auth && { auth }),
    ...steps,
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    // What operators write is text and names no files.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    /** One attempt; the answer is the server's own. Never throws. */
    async send(message: SendMailOptions, signal?: AbortSignal): Promise<Exclude<Outcome, { what: 'later' }>> {
      const limit = AbortSignal.timeout(stepMs === undefined ? SEND_MS : 3 * stepMs);
      try {
        const { response } = await transport.sendMail({ ...message, signal: signal ? AbortSignal.any([signal, limit]) : limit });
        return { what: 'delivered', answer: response };
      } catch (error) {
        const failed = error as NodemailerError;
        const { code = '', responseCode = 0 } = failed;
        // 503 says that the conversation went wrong, not the mail.
        const forGood = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500 && responseCode !== 503;
        return { what: forGood ? 'refused' : 'failed', answer: troubleOf(failed) };
      }
    },
  };
}
