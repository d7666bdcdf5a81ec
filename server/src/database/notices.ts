import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type pg from 'pg';
import { cut, openSession } from './postgres.ts';
import type { Database } from './schema.ts';

const CHANNEL = 'feierbild';
/** Pause before the next attempt to connect. */
const RECONNECT_MS = 1000;
/** Longest wait for an answer on the listening connection. */
const ANSWER_MS = 5000;

/** Short texts between the processes that share a PostgreSQL database. */
export interface Notices {
  /** To all other processes; not to this one. */
  send(text: string): Promise<void>;
  /**
   * Listens on a connection of its own, and connects again when that breaks. `connected` is called after each time: notices may
   * have been missed before.
   */
  listen(listener: { received(text: string): void; connected(): void }): void;
  /** Whether notices arrive; they do not through a pooler that assigns connections by transaction. Null before anybody listens. */
  works(): boolean | null;
  /** Checks that the connection still answers; connects again if not. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export function createNotices(kysely: Kysely<Database>, url: string, node?: string): Notices {
  const self = randomUUID();
  let session: pg.Client | undefined;
  let works: boolean | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const send = async (text: string): Promise<void> => {
    await sql`select pg_notify(${CHANNEL}, ${`${self} ${text}`})`.execute(kysely);
  };

  async function connect(listener: Parameters<Notices['listen']>[0]): Promise<void> {
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      works = false;
      session = undefined;
      if (!closed) timer = setTimeout(() => void connect(listener), RECONNECT_MS).unref();
    };
    try {
      const client = await openSession(url, { query_timeout: ANSWER_MS, node });
      if (closed) return void client.end().catch(() => undefined);
      session = client;
      client.on('end', end).on('error', end);
      client.on('notification', ({ payload = '' }) => {
        const [from, text] = [payload.slice(0, self.length), payload.slice(self.length + 1)];
        if (from !== self) listener.received(text);
        else works = true;
      });
      await client.query(`listen ${CHANNEL}`);
      listener.connected();
      // Only if this comes back, notices arrive here.
      await send('');
    } catch {
      cut(session);
      end();
    }
  }

  return {
    send,
    listen(listener) {
      works = false;
      void connect(listener);
    },
    works: () => works,
    async check() {
      const checked = session;
      await checked?.query('select 1').catch(() => cut(checked));
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      // A regular end would wait for ever on a broken connection.
      cut(session);
    },
  };
}
