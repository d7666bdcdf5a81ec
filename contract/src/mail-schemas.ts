import { z } from 'zod';
import { MAIL_TOPICS, mistakeIn, type MailTopic } from './mail.ts';
import { typedText } from './typed-text.ts';

/** A mail's subject and body as the operator changed them. */
const MailText = z.object({
  subject: typedText(200, { missing: 'Bitte geben Sie einen Betreff ein.', tooLong: 'Bitte höchstens 200 Zeichen.', lines: true }).refine(
    (text) => !/[\r\n]/.test(text),
    'Der Betreff ist eine einzige Zeile.',
  ),
  body: typedText(4000, { missing: 'Bitte geben Sie einen Text ein.', tooLong: 'Bitte höchstens 4.000 Zeichen.', lines: true }),
});

/**
 * Cleans a copied address: removes invisible characters (spaces around it, marks of direction) and converts the domain to its DNS name
 * (`müller.de`).
 */
export function mailAddressIn(text: string): string {
  const seen = text.replaceAll(/\p{Cf}/gu, '').trim();
  const [, before = '', domain = ''] = /^(.+@)([\p{L}\p{M}\p{N}.-]+)$/u.exec(seen) ?? [];
  return /[^\0-\x7f]/.test(domain) ? before + (URL.parse(`http://${domain}`)?.hostname ?? domain) : seen;
}

export const MailAddress = z
  .string('Bitte geben Sie eine gültige E-Mail-Adresse an.')
  .overwrite(mailAddressIn)
  .check(z.email('Bitte geben Sie eine gültige E-Mail-Adresse an.'))
  .max(254);

/** The section `mail` of the operator's settings. */
export const MailSettings = z
  .object({
    /** Name beside the sender's address. Default: the business's name. */
    senderName: typedText(100).optional(),
    /** Address for answers. */
    replyTo: MailAddress.optional(),
    /** Address for mail to the operator. Default: the business's address. */
    operator: MailAddress.optional(),
    texts: z.partialRecord(z.enum(MAIL_TOPICS as [MailTopic, ...MailTopic[]]), MailText).default({}),
  })
  .superRefine(({ texts }, context) => {
    for (const topic of MAIL_TOPICS) {
      const mistake = texts[topic] && mistakeIn(topic, texts[topic]);
      if (mistake) context.addIssue({ code: 'custom', path: ['texts', topic, 'body'], message: mistake });
    }
  });

/**
 * A host name, or an IPv6 address. The pattern looks for the first colon only: any colon would make the time grow with the square of their
 * number.
 */
const HOST_NAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$|^[0-9a-f]*:[0-9a-f:.]+$/i;
const NO_ORIGIN = 'Bitte geben Sie die Adresse dieser Seiten an, wie https://fotos.beispiel.de.';
const mailServer = {
  host: typedText(253, { missing: 'Bitte geben Sie den Namen des Mailservers an.' }).regex(
    HOST_NAME,
    'Bitte geben Sie nur den Namen des Mailservers an, wie mail.beispiel.de.',
  ),
  /** Port 465 uses TLS from the first byte. All others must offer STARTTLS, unless the server is this machine. */
  port: z.int({ error: 'Bitte geben Sie den Port als Zahl an.' }).min(1, 'Ports beginnen bei 1.').max(65_535, 'Ports enden bei 65535.'),
  /** Empty: without a login. */
  user: typedText(254),
  /** The sender's address. */
  sender: MailAddress,
  /** Origin of links in mails, unless PUBLIC_URL sets it. */
  origin: z.string(NO_ORIGIN).transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username) return url.origin;
    context.addIssue({ code: 'custom', message: NO_ORIGIN });
    return z.NEVER;
  }),
};

/** The mail server as stored by the browser's form. */
export const SetMailServer = z.object({
  host: z.string(),
  port: z.number().int(),
  user: z.string(),
  sender: z.string(),
  origin: z.string(),
  has_password: z.boolean(),
});
export type SetMailServer = z.infer<typeof SetMailServer>;

/** The mail server as typed. Without a password the stored one stays. */
export const MailServerForm = z.object({
  ...mailServer,
  password: z.string().min(1).max(500).optional(),
  /** The values when the form was opened (null: none). If somebody else has set others since, nothing is set (409). */
  was: SetMailServer.nullable().optional(),
});
export type MailServerForm = z.output<typeof MailServerForm>;

/** The host's address. */
export const HostContact = z.object({ email: MailAddress, name: typedText(100, { tooLong: 'Bitte höchstens 100 Zeichen.' }).default('') });
export type HostContact = z.infer<typeof HostContact>;
