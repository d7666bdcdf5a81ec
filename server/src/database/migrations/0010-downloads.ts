import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When the host first had the whole ZIP: until then the end of the photos' time is urgent. */
export function downloads(): Migration {
  return {
    async up({ schema }: Kysely<unknown>) {
      await schema.alterTable('events').addColumn('zip_downloaded_at', 'bigint').execute();
    },
  };
}
