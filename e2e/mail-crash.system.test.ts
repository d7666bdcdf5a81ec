import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MAILS } from '@feierbild/contract/mail.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMailbox, type Arrived, type Mailbox } from '../server/src/features/mail/testing/mailbox.ts';
import { createClient } from './support/api.ts';
import { missingForCluster, startCluster, type Cluster } from './support/cluster.ts';
import { startServer, type TestServer } from './support/server.ts';

const MAILS_OF_A_BURST = 12;

/** Sends a report, about which the server mails the operator at once. */
const report = (url: string, photo: string): Promise<unknown> =>
  createClient(url).json('POST', '/api/reports', { event: 'Fest', photo, reason: 'So nicht' }, 201);
const mailSettings = ({ port }: Mailbox): Record<string, string> => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: 'Zeltverleih Süd <feier@zelt.example>',
});
/** Filters by subject, because the operator gets another mail on Mondays. */
const reportsIn = ({ arrived }: Mailbox): Arrived[] => arrived.filter(({ subject }) => subject === MAILS.report.subject);
const idsOf = (mailbox: Mailbox): (string | undefined)[] => reportsIn(mailbox).map(({ messageId }) => messageId);
/** Holds back the answer to the next report's mail; once the mail has arrived, resolves with a function that gives the answer. */
function holdNext(mailbox: Mailbox): Promise<() => void> {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const before = reportsIn(mailbox).length;
  return new Promise((arrived) => {
    mailbox.accepting = async () => {
      if (reportsIn(mailbox).length === before) return;
      mailbox.accepting = async () => undefined;
      arrived(answer);
      return answered;
    };
  });
}

describe('mail of a server that is killed', () => {
  let mailbox: Mailbox;
  let server: TestServer;
  beforeEach(async () => {
    mailbox = await openMailbox();
    server = await startServer((url) => ({ PUBLIC_URL: url, ...mailSettings(mailbox) }));
  });
  afterEach(async () => {
    await server?.dispose();
    await mailbox.close();
  });

  it('goes out once where the mail server had accepted it, and again as the same mail where that had not answered yet', async () => {
    const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
    const states = () =>
      db
        .prepare('select state from outbox where topic = ? order by id')
        .all('report')
        .map(({ state }) => state);
    await report(server.url, 'eins');
    await expect.poll(states).toEqual(['delivered']);
    const held = holdNext(mailbox);
    await report(server.url, 'zwei');
    const answer = await held;
    await server.kill();
    answer();
    expect(states()).toEqual(['delivered', 'waiting']);
    // The row's hold ends, as it does within minutes by the database's clock.
    db.prepare('update outbox set held_until = 1').run();
    await server.restart();
    await expect.poll(states).toEqual(['delivered', 'delivered']);
    db.close();
    const [first, second, again, ...others] = idsOf(mailbox);
    expect([again, others]).toEqual([second, []]);
    expect(first).not.toBe(second);
    const dates = reportsIn(mailbox).map(({ date }) => date);
    expect(dates[2]).toBe(dates[1]);
  });
});

if (missingForCluster.length > 0) console.log(`skipped: mail of several nodes; they need ${missingForCluster.join(', ')}`);

describe.skipIf(missingForCluster.length > 0)('mail of several nodes', () => {
  let mailbox: Mailbox;
  let cluster: Cluster;
  beforeEach(async () => {
    mailbox = await openMailbox();
    cluster = await startCluster(2, { PUBLIC_URL: 'http://fotos.example', ...mailSettings(mailbox) });
  });
  afterEach(async () => {
    await cluster?.dispose();
    await mailbox.close();
  });

  it('is sent once by one of them, and by another one when that is killed while it sends', async () => {
    const [one, other] = cluster.nodes as [TestServer, TestServer];
    const { kysely } = cluster.db;
    const states = async () =>
      new Set((await kysely.selectFrom('outbox').select('state').where('topic', '=', 'report').execute()).map(({ state }) => state));
    await Promise.all(Array.from({ length: MAILS_OF_A_BURST }, (_, n) => report(n % 2 ? one.url : other.url, `${n}`)));
    await expect.poll(states).toEqual(new Set(['delivered']));
    expect([idsOf(mailbox).length, new Set(idsOf(mailbox)).size]).toEqual([MAILS_OF_A_BURST, MAILS_OF_A_BURST]);

    // The other node stands still, so that it cannot take the mail first.
    other.process.kill('SIGSTOP');
    const held = holdNext(mailbox);
    await report(one.url, 'von einem, der untergeht');
    const answer = await held;
    await one.kill();
    answer();
    other.process.kill('SIGCONT');
    await kysely.updateTable('outbox').set({ held_until: 1 }).execute();
    await expect.poll(states).toEqual(new Set(['delivered']));
    const [taken, ...again] = idsOf(mailbox).slice(MAILS_OF_A_BURST);
    expect(again).toEqual([taken]);
  });
});
