import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type pg from 'pg';
import { cut, inTime, openSession } from './postgres.ts';
import type { Database } from './schema.ts';

const CHANNEL = 'feierbild';
/** Pause before the next attempt to connect. */
const RECONNECT_MS = 1000;

interface Listener {
  received(text: string): void;
  /** Called after each connect: notices may have been missed before. */
  connected(): void;
}

/** Sends short texts between the processes that share a PostgreSQL database. */
export function createNotices(kysely: Kysely<Database>, url: string, node?: string) {
  const self = randomUUID();
  let session: pg.Client | undefined;
  let works: boolean | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  /** Sends a text to all other processes. */
  const send = async (text: string): Promise<void> => {
    await sql`select pg_notify(${CHANNEL}, ${`${self} ${text}`})`.execute(kysely);
  };

  async function connect(listener: Listener): Promise<void> {
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      works = false;
      session = undefined;
      if (!closed) timer = setTimeout(() => void connect(listener), RECONNECT_MS).unref();
    };
    try {
      const client = await openSession(url, node);
      if (closed) return cut(client);
      session = client;
      client.on('end', end).on('error', end);
      client.on('notification', ({ payload = '' }) => {
        const [from, text] = [payload.slice(0, self.length), payload.slice(self.length + 1)];
        if (from !== self) listener.received(text);
        else works = true;
      });
      await client.query(inTime(`listen ${CHANNEL}`));
      listener.connected();
      // Its return proves that notices arrive here.
      await send('');
    } catch {
      cut(session);
      end();
    }
  }

  return {
    send,
    /** Listens on a connection of its own, and reconnects when that breaks. */
    listen(listener: Listener): void {
      works = false;
      void connect(listener);
    },
    /** Tells whether notices arrive; a pooler that assigns connections by transaction blocks them. Null before anybody listens. */
    works: (): boolean | null => works,
    /** Checks that the connection still answers; connects again if not. */
    async check(): Promise<void> {
      const checked = session;
      await checked?.query(inTime('select 1')).catch(() => cut(checked));
    },
    close(): void {
      closed = true;
      clearTimeout(timer);
      // A regular end would wait for ever on a broken connection.
      cut(session);
    },
  };
}
