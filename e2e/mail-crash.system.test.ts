import { join } from 'node:path';
import { MAILS } from '@feierbild/contract/mail.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMailbox, type Arrived, type Mailbox } from '../server/src/features/mail/testing/mailbox.ts';
import { openDatabase, type Db } from '../server/src/database/open.ts';
import { createOutbox } from '../server/src/features/outbox/outbox.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { createLog } from '../server/src/lib/log.ts';
import { missingForCluster, startCluster, type Cluster } from './support/cluster.ts';
import { startServer, type TestServer } from './support/server.ts';

const MAILS_OF_A_BURST = 12;

const TOPIC = 'backup_failed';
/** Writes mails to the operator as a command does in its own process; the server finds them at its next look. */
async function write(db: Db, count = 1): Promise<void> {
  const outbox = createOutbox({ db, clock: systemClock, log: createLog('silent'), ending: new AbortController().signal });
  const entry = { kind: 'mail', topic: TOPIC, payload: { zeit: 'eben', grund: 'Der Datenträger ist voll.', link: '/admin' } };
  await db.transaction(async (trx) => {
    for (let n = 0; n < count; n++) await outbox.add(trx, entry);
  });
}
async function statesIn({ kysely }: Db): Promise<string[]> {
  const written = kysely.selectFrom('outbox').select('state').where('topic', '=', TOPIC).orderBy('id');
  return (await written.execute()).map(({ state }) => state);
}
/** Ends the holds of the killed server's mails, as it happens within minutes by the database's clock. */
const endHolds = ({ kysely }: Db): Promise<unknown> => kysely.updateTable('outbox').set({ held_until: 1 }).execute();
const mailSettings = ({ port }: Mailbox): Record<string, string> => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: 'Zeltverleih Süd <feier@zelt.example>',
});
/** Filters by subject, because the operator gets another mail on Mondays. */
const writtenIn = ({ arrived }: Mailbox): Arrived[] => arrived.filter(({ subject }) => subject === MAILS[TOPIC].subject);
const idsOf = (mailbox: Mailbox): (string | undefined)[] => writtenIn(mailbox).map(({ messageId }) => messageId);
/** Holds back the answer to the next mail; once it has arrived, resolves with a function that gives the answer. */
function holdNext(mailbox: Mailbox): Promise<() => void> {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const before = writtenIn(mailbox).length;
  return new Promise((arrived) => {
    mailbox.accepting = async () => {
      if (writtenIn(mailbox).length === before) return;
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
    const db = await openDatabase({ url: null, file: join(server.dataDir, 'feierbild.sqlite') }, { schema: 'require' });
    const states = () => statesIn(db);
    await write(db);
    await expect.poll(states).toEqual(['delivered']);
    const held = holdNext(mailbox);
    await write(db);
    const answer = await held;
    await server.kill();
    answer();
    expect(await states()).toEqual(['delivered', 'waiting']);
    await endHolds(db);
    await server.restart();
    await expect.poll(states).toEqual(['delivered', 'delivered']);
    await db.close();
    const [first, second, again, ...others] = idsOf(mailbox);
    expect([again, others]).toEqual([second, []]);
    expect(first).not.toBe(second);
    const dates = writtenIn(mailbox).map(({ date }) => date);
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
    const states = async () => new Set(await statesIn(cluster.db));
    await write(cluster.db, MAILS_OF_A_BURST);
    await expect.poll(states).toEqual(new Set(['delivered']));
    expect([idsOf(mailbox).length, new Set(idsOf(mailbox)).size]).toEqual([MAILS_OF_A_BURST, MAILS_OF_A_BURST]);

    // The other node stands still, so that it cannot take the mail first.
    other.process.kill('SIGSTOP');
    const held = holdNext(mailbox);
    await write(cluster.db);
    const answer = await held;
    await one.kill();
    answer();
    other.process.kill('SIGCONT');
    await endHolds(cluster.db);
    await expect.poll(states).toEqual(new Set(['delivered']));
    const [taken, ...again] = idsOf(mailbox).slice(MAILS_OF_A_BURST);
    expect(again).toEqual([taken]);
  });
});
