import { sql } from 'kysely';
import { databaseNow } from '../database/leases.ts';
import type { Db } from '../database/open.ts';
import { caution, clockLine, good, type Lines } from './doctor-lines.ts';

const NO_LIMITS =
  'beendet keine Transaktion, deren Knoten ausgefallen ist: Ihr Event nimmt dann bis zu zwei Stunden lang nichts an. ' +
  'Geben Sie der Rolle hinter pgbouncer die Grenzen aus docs/benutzung/knoten.md („Datenbank“).';

/** Checks PostgreSQL's clock, which all nodes share, and that it ends a transaction whose node is gone: pgbouncer passes no limits on. */
export async function* checkPostgres({ kysely }: Pick<Db, 'kysely'>): Lines {
  const { now, idle } = await kysely
    .selectNoFrom([databaseNow('postgres').as('now'), sql<string>`current_setting('idle_in_transaction_session_timeout')`.as('idle')])
    .executeTakeFirstOrThrow();
  yield clockLine('Uhr der Datenbank', now);
  yield idle === '0' ? caution('Grenzen', NO_LIMITS) : good('Grenzen', 'PostgreSQL beendet Transaktionen ausgefallener Knoten.');
}
