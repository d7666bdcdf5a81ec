import { z } from 'zod';
import { calls } from '../call.ts';
import { MailAddress, MailServerForm, SetMailServer } from '../mail-schemas.ts';
import { MAIL_TOPICS, type MailTopic } from '../mail.ts';

export const mailCalls = calls('mail', 'Mail to hosts and to the operator.', {
  'GET /admin/mail': {
    summary: 'Whether mail is sent, and values as each mail would have them, for a preview.',
    access: 'admin',
    answers: {
      200: z.object({
        /** Null: no server is configured. */
        from: z.string().nullable(),
        /** The environment names the mail server, so the browser cannot set it. */
        fixed: z.boolean(),
        /** The mail server set in the browser; null: none. */
        server: SetMailServer.nullable(),
        /** PUBLIC_URL; null: the operator types the address together with the server. */
        origin: z.string().nullable(),
        samples: z.record(z.enum(MAIL_TOPICS as [MailTopic, ...MailTopic[]]), z.record(z.string(), z.string())),
      }),
    },
  },
  'PUT /admin/mail/server': {
    summary: 'Sets the mail server and the sender. Where the environment names a server, that counts, and this is refused.',
    access: 'admin',
    body: MailServerForm,
    answers: { 204: 'empty' },
    errors: ['settings_changed'],
  },
  'DELETE /admin/mail/server': {
    summary: 'Forgets the mail server that was set in the browser: no mail is sent any more.',
    access: 'admin',
    answers: { 204: 'empty' },
  },
  'POST /admin/mail/test': {
    summary: "Sends a test mail at once; the answer is the mail server's own.",
    access: 'admin',
    body: z.object({ to: MailAddress }),
    answers: { 200: z.object({ accepted: z.boolean(), answer: z.string() }) },
  },
  'POST /abmelden/:token': {
    summary: 'Ends a kind of mail for the host of an event, or begins it again (RFC 8058 sends a form, which ends it).',
    access: 'anyone',
    body: z.object({ on: z.boolean() }).nullish(),
    answers: { 200: z.object({ kind: z.string(), on: z.boolean() }) },
    errors: ['not_found'],
  },
});
