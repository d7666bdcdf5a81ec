import { randomBytes } from 'node:crypto';
import { deletionDay } from '@feierbild/contract/event-status.ts';
import { describe, expect, it } from 'vitest';
import { TABLE_NAMES } from '../../database/tables.ts';
import { engines } from '../../database/testing.ts';
import { asKey } from '../../vault/vault.ts';
import type { FoundPhoto } from '../photos/photos.ts';
import { drawPhoto } from '../testing.ts';
import { DUE, HOLDINGS, PARTY, premisesOf } from './testing/premises.ts';

describe.each(engines())('retention on $name', (engine) => {
  const at = premisesOf(engine);
  const blobs = async (): Promise<string[]> => (await at.app.leftovers()).blobs;

  it('keeps an event to the last second of its 30th day, and nothing of it thereafter', async () => {
    const { id, code } = await at.event();
    const { status, photo } = await at.app.upload(code, await drawPhoto());
    expect(status).toBe(201);
    await at.app.links.make({
      row: { id: photo.id, event_id: id, state: photo.state } as FoundPhoto['row'],
      openKey: () => asKey(randomBytes(32)),
    });
    await expect.poll(blobs).toHaveLength(3);
    const { retention, lines } = at.node();
    const held = () => Promise.all(HOLDINGS.map(at.count));
    const before = await at.app.row(id);

    at.clock.time = DUE - 1000;
    expect(deletionDay(PARTY)).toBe('2026-06-16');
    expect(await retention.run()).toBe(true);
    expect(await held()).toEqual(HOLDINGS.map(() => 1));
    expect(await blobs()).toHaveLength(3);
    expect(await at.app.row(id)).toEqual(before);

    at.clock.time = DUE;
    expect(await retention.run()).toBe(true);
    expect(await held()).toEqual(HOLDINGS.map(() => 0));
    expect(await blobs()).toEqual([]);
    const counters = { is_active: 0, used_bytes: 0, photo_count: 0, device_count: 0 };
    expect(await at.app.row(id)).toEqual({ ...before, ...counters, change_seq: expect.any(Number), purging_at: DUE, purged_at: DUE });
    expect(lines).toEqual([{ event: id, message: 'event purged' }]);
    const trail = await at.db.kysely.selectFrom('audit').selectAll().execute();
    expect(trail).toMatchObject([{ at: DUE, actor: 'system', action: 'event.purged', event_id: id, event_code: code, address: null }]);
  });

  it('leaves of a purged event what the papers say: its row without counts, the receipt, the audit trail, reports', async () => {
    const made = await at.app.event({ ...PARTY, is_active: 1 });
    expect((await at.app.upload(made.code, await drawPhoto())).status).toBe(201);
    const { audit, reports, retention } = at.node();
    await audit.record({ actor: 'host', action: 'host.login', eventId: made.id, eventCode: made.code });
    await reports.add({ event: made.code, photo: '', reason: 'Bitte löschen', name: '', email: '' }, '192.0.2.1');
    at.clock.time = DUE;
    await retention.run();
    const naming: string[] = [];
    for (const table of TABLE_NAMES) {
      const rows = await at.db.kysely.selectFrom(table).selectAll().execute();
      if (rows.some((row) => [made.id, made.code].some((name) => JSON.stringify(row).includes(name)))) naming.push(table);
    }
    // Open pages' changes are deleted within the hour.
    expect(naming.toSorted()).toEqual(['audit', 'changes', 'events', 'receipts', 'reports']);
    expect(await at.app.row(made.id)).toMatchObject({ photo_count: 0, video_count: 0, used_bytes: 0, device_count: 0, welcome: '' });
  });
});
