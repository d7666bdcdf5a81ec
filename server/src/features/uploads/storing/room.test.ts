import { afterAll, describe, expect, it } from 'vitest';
import { engines } from '../../../database/testing.ts';
import { createQuickVault } from '../../../vault/testing/quick-vault.ts';
import { addEvent } from '../../testing.ts';
import { hasRoom } from './room.ts';

describe.each(engines())('an event on $name', (engine) => {
  afterAll(() => engine.dispose());

  it('takes bytes up to its limit, to the last one, without a limit any, and none while it is purged', async () => {
    const place = { db: await engine.open(), vault: createQuickVault() };
    const takes = async (size: number, row: { storage_limit: number | null; used_bytes: number; purging_at?: number }) => {
      const { id } = await addEvent(place, { created_at: 0, ...row });
      const found = place.db.kysely.selectFrom('events').select('id').where('id', '=', id).where(hasRoom(size));
      return (await found.executeTakeFirst()) !== undefined;
    };
    const limited = { storage_limit: 100, used_bytes: 60 };
    expect([await takes(40, limited), await takes(41, limited)]).toEqual([true, false]);
    expect(await takes(1e12, { storage_limit: null, used_bytes: 60 })).toBe(true);
    expect(await takes(1, { storage_limit: null, used_bytes: 0, purging_at: 1 })).toBe(false);
  });
});
