import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** For tests: the contents of a message whose signature the public library finds right. Throws for a wrong signature. */
export function verify<Message>(secret: string, { headers, body }: { headers: IncomingHttpHeaders; body: string }): Message {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as Message;
}
