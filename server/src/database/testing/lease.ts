import type { Db } from '../open.ts';

/** For tests: returns a function that makes the statement which adds a lease's row; any other small row would do. */
export const leaseOn = (current: () => Pick<Db, 'kysely'>) => (name: string, holder: string, expires_at: number) =>
  current().kysely.insertInto('leases').values({ name, holder, expires_at });
