import { EVENT_PASSWORD_FAILURES } from '@feierbild/contract/constants.ts';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { deviceHash } from '../devices/devices.ts';
import type { LimitKey } from '../rate-limits/rate-limits.ts';
import { fail } from '../rate-limits/testing.ts';
import { newDevice, openPortless, type PortlessApp } from '../testing.ts';

describe.each(enginesForRules())('the passwords of an event on $name', (engine) => {
  let app: PortlessApp;
  beforeEach(async () => {
    app = await openPortless({ db: await engine.open() });
  });
  afterEach(() => app.close());
  afterAll(() => engine.dispose());

  it("count a guest's guesses at the Fotobox's also where the device has uploaded", async () => {
    const event = await app.event({ with_fotobox: 1, with_upload_password: 1 }, { upload: 'Sommer', fotobox: 'Knipsekasten' });
    const guest = newDevice();
    const device_hash = deviceHash(app.vault, guest, event.id);
    await app.db.kysely.insertInto('devices').values({ event_id: event.id, device_hash, first_seen_at: 0 }).execute();
    const row = await app.row(event.id);
    const check = (password: string) =>
      app.events.guests.checkPassword(row, password, { address: '192.0.2.1', deviceId: guest }).then(
        ({ who }) => who,
        ({ code }: { code: string }) => code,
      );
    for (let n = 1; n < EVENT_PASSWORD_FAILURES.count; n += 1) await fail(app.limits, 'event-password', '192.0.2.1', event.id, 'fotobox');
    expect(await check('geraten')).toBe('wrong_event_password');
    expect(await check('Knipsekasten')).toBe('too_many_attempts');
    expect(await check('Sommer')).toBe('guest');
  });

  it("count a guess that breaks off after it was compared with the guests'", async () => {
    const event = await app.event({ with_fotobox: 1, with_upload_password: 1 }, { upload: 'Sommer', fotobox: 'Knipsekasten' });
    const row = await app.row(event.id);
    const ofKind = (who: string): LimitKey => ['192.0.2.1', event.id, who];
    const check = (password: string) =>
      app.events.guests.checkPassword(row, password, { address: '192.0.2.1', deviceId: null }).then(
        ({ who }) => who,
        ({ code }: { code: string }) => code,
      );
    for (let n = 1; n < EVENT_PASSWORD_FAILURES.count; n += 1) await fail(app.limits, 'event-password', ...ofKind('guest'));
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const attempts: Promise<void>[] = [];
    let isFull = false;
    for (; !isFull; await setImmediate())
      attempts.push(app.limits.serialized('event-password', ofKind('fotobox'), () => ended).catch(() => void (isFull = true)));
    expect(await check('geraten')).toBe('unavailable');
    end();
    await Promise.all(attempts);
    expect(await check('Sommer')).toBe('too_many_attempts');
  });
});
