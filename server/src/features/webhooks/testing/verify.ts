import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** For tests: returns the contents of a message. Throws if the public library finds its signature wrong. */
export function verify<Message>(secret: string, { headers, body }: { headers: IncomingHttpHeaders; body: string }): Message {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as Message;
}
