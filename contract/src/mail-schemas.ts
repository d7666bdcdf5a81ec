import { z } from 'zod';
import { MAIL_TOPICS, mistakeIn, type MailTopic } from './mail.ts';
import { typedText } from './typed-text.ts';

/** What an operator changed of a mail. */
const MailText = z.object({
  subject: typedText(200, { missing: 'Bitte geben Sie einen Betreff ein.', tooLong: 'Bitte höchstens 200 Zeichen.' }).refine(
    (text) => !/[\r\n]/.test(text),
    'Der Betreff ist eine einzige Zeile.',
  ),
  body: typedText(4000, { missing: 'Bitte geben Sie einen Text ein.', tooLong: 'Bitte höchstens 4000 Zeichen.' }),
});

export const MailAddress = z.email({ error: 'Bitte geben Sie eine gültige E-Mail-Adresse an.' }).max(254);

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

/** The host's address. */
export const HostContact = z.object({ email: MailAddress, name: typedText(100, { tooLong: 'Bitte höchstens 100 Zeichen.' }).default('') });
export type HostContact = z.infer<typeof HostContact>;
