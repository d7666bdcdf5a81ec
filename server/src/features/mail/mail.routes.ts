import { MAIL_TOPICS, type MailTopic, type MailValues } from '@feierbild/contract/mail.ts';
import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Mail } from './mail.ts';

/** The mail page of the settings, and the link by which hosts end a kind of mail. */
export function mailRoutes(http: Http, { mail, config }: { mail: Mail; config: { mail: { from: { address: string } } | null } }): void {
  http.bind('GET /admin/mail', async () => {
    const samples = {} as Record<MailTopic, MailValues>;
    for (const topic of MAIL_TOPICS) samples[topic] = await mail.sample(topic);
    return { from: config.mail?.from.address ?? null, samples };
  });
  http.bind('POST /admin/mail/test', ({ body }) => mail.test(body.to));
  http.bind('POST /abmelden/:token', async ({ params, body }) => {
    const on = body?.on ?? false;
    const kind = await mail.unsubscribe(params.token, on);
    if (kind === null) throw new Refusal('not_found');
    return { kind, on };
  });
}
