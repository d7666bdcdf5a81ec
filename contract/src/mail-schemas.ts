import { z } from 'zod';
import { MAIL_TOPICS, mistakeIn, type MailTopic } from './mail.ts';
import { typedText } from './typed-text.ts';

/** What an operator changed of a mail. */
const MailText = z.object({
  subject: typedText(200, { missing: 'Bitte geben Sie einen Betreff ein.', tooLong: 'Bitte höchstens 200 Zeichen.', lines: true }).refine(
    (text) => !/[\r\n]/.test(text),
    'Der Betreff ist eine einzige Zeile.',
  ),
  body: typedText(4000, { missing: 'Bitte geben Sie einen Text ein.', tooLong: 'Bitte höchstens 4000 Zeichen.', lines: true }),
});

/**
 * An address as it was meant: without the unseen parts of a copied one (spaces around it, marks of direction), and with its domain's name
 * in the DNS (`müller.de`).
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
    /** Beside the sender's address; without it the business's name. */
    senderName: typedText(100).optional(),
    /** Where answers go. */
    replyTo: MailAddress.optional(),
    /** Where mail to the operator goes; without it to the business's address. */
    operator: MailAddress.optional(),
    texts: z.partialRecord(z.enum(MAIL_TOPICS as [MailTopic, ...MailTopic[]]), MailText).default({}),
  })
  .superRefine(({ texts }, context) => {
    for (const topic of MAIL_TOPICS) {
      const mistake = texts[topic] && mistakeIn(topic, texts[topic]);
      if (mistake) context.addIssue({ code: 'custom', path: ['texts', topic, 'body'], message: mistake });
    }
  });

/** A name, or an address of IPv6. Its first colon is the only one that is searched for: thousands of them would be tried with each other. */
const HOST_NAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$|^[0-9a-f]*:[0-9a-f:.]+$/i;
const NO_ORIGIN = 'Bitte geben Sie die Adresse dieser Seiten an, wie https://fotos.beispiel.de.';
const mailServer = {
  host: typedText(253, { missing: 'Bitte geben Sie den Namen des Mailservers an.' }).regex(
    HOST_NAME,
    'Bitte geben Sie nur den Namen des Mailservers an, wie mail.beispiel.de.',
  ),
  /** 465 is encrypted from the first byte; all others must offer STARTTLS, but for this very machine. */
  port: z.int({ error: 'Bitte geben Sie den Port als Zahl an.' }).min(1, 'Ports beginnen bei 1.').max(65_535, 'Ports enden bei 65535.'),
  /** Empty: without a login. */
  user: typedText(254),
  /** The sender's address. */
  sender: MailAddress,
  /** Where links in mails lead, unless PUBLIC_URL says it. */
  origin: z.string(NO_ORIGIN).transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username) return url.origin;
    context.addIssue({ code: 'custom', message: NO_ORIGIN });
    return z.NEVER;
  }),
};

/** The mail server as it is set in the browser. */
export const SetMailServer = z.object({
  host: z.string(),
  port: z.number().int(),
  user: z.string(),
  sender: z.string(),
  origin: z.string(),
  has_password: z.boolean(),
});
export type SetMailServer = z.infer<typeof SetMailServer>;

/** The mail server as it is typed. Without a password the one that is kept stays. */
export const MailServerForm = z.object({
  ...mailServer,
  password: z.string().min(1).max(500).optional(),
  /** What the form showed when it was opened (null: none): where somebody else has set another one since, nothing is set (409). */
  was: SetMailServer.nullable().optional(),
});
export type MailServerForm = z.output<typeof MailServerForm>;

/** The host's address. */
export const HostContact = z.object({ email: MailAddress, name: typedText(100, { tooLong: 'Bitte höchstens 100 Zeichen.' }).default('') });
export type HostContact = z.infer<typeof HostContact>;
