import { MAIL_TOPICS, type MailTopic, type MailValues } from '@feierbild/contract/mail.ts';
import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Mail } from './mail.ts';
import type { MailServers } from './mail-server.ts';

interface Deps {
  mail: Mail;
  mailServers: MailServers;
  config: { mail: object | null; publicUrl: string | null };
}

/** Binds the mail page of the settings, and the link by which hosts end a kind of mail. */
export function mailRoutes(http: Http, { mail, mailServers, config }: Deps): void {
  http.bind('GET /admin/mail', async () => {
    const samples = {} as Record<MailTopic, MailValues>;
    for (const topic of MAIL_TOPICS) samples[topic] = await mail.sample(topic);
    const from = (await mailServers.inForce())?.from.address ?? null;
    return { from, fixed: config.mail !== null, server: await mailServers.set(), origin: config.publicUrl, samples };
  });
  http.bind('PUT /admin/mail/server', ({ body, visitor }) => mailServers.change(visitor.admin, body, visitor.address));
  http.bind('DELETE /admin/mail/server', ({ visitor }) => mailServers.remove(visitor.admin, visitor.address));
  http.bind('POST /admin/mail/test', ({ body }) => mail.test(body.to));
  http.bind('POST /abmelden/:token', async ({ params, body }) => {
    const on = body?.on ?? false;
    const kind = await mail.unsubscribe(params.token, on);
    if (kind === null) throw new Refusal('not_found');
    return { kind, on };
  });
}
