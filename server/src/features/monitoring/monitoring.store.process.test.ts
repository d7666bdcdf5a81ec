import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { noteBackup } from '../backup/backup.ts';
import { addEvent } from '../testing.ts';
import { totalsOf } from './monitoring.store.ts';

const NOW = Date.parse('2026-05-17T12:00:00Z');

describe.each(engines())('the totals on $name', (engine) => {
  let db: Db;
  beforeAll(async () => {
    db = await engine.open();
  });
  afterAll(async () => {
    await db?.close();
    await engine.dispose();
  });

  it('are numbers, and none where there is nothing to show', async () => {
    const totals = totalsOf({ db, clock: { now: () => NOW } }, 'eins');
    const none = {
      events: 0,
      photos: 0,
      videos: 0,
      announced_photos: 0,
      bytes: 0,
      open_uploads: 0,
      open_upload_bytes: 0,
      open_upload_parts: 0,
    };
    const rest = { open_upload_oldest_seconds: null, overdue_purges: 0, last_backup_seconds: null };
    expect(await totals()).toEqual({ ...none, ...rest });
    await addEvent(
      { db, vault: createQuickVault() },
      { created_at: NOW, end_date: '2026-01-01', photo_count: 3, used_bytes: 7_000_000_000 },
    );
    await noteBackup(db, { at: NOW, folder: '/sicherung' });
    expect(await totals()).toMatchObject({
      events: 1,
      photos: 3,
      bytes: 7_000_000_000,
      overdue_purges: 1,
      last_backup_seconds: NOW / 1000,
    });
  });
});
