import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOGIN_FAILURES } from '@feierbild/contract/constants.ts';
import { contract } from '@feierbild/contract/contract.ts';
import { EventForm } from '@feierbild/contract/event-form.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { TABLES } from '../../database/tables.ts';
import { enginesForRules } from '../../database/testing.ts';
import { VERSION } from '../../lib/software.ts';
import { createVault } from '../../vault/vault.ts';
import { deviceHash } from '../devices/devices.ts';
import { createRateLimits } from '../rate-limits/rate-limits.ts';
import { fail } from '../rate-limits/testing.ts';
import { addEvent } from '../testing.ts';
import { PROVEN, type ProvenId } from './checks.ts';

const FACES = /face|gesicht|biometr|embedding/i;
const vault = createVault();

describe.each(enginesForRules())('what the papers say of every installation is so, on $name', (engine) => {
  afterAll(() => engine.dispose());

  const PROOFS: Record<ProvenId, () => Promise<void> | void> = {
    sealing() {
      const { publicKey, privateKey } = vault.createKeyPair();
      const sealed = Buffer.from(vault.seal(publicKey, Buffer.from('probe'), 'papers'));
      expect(Buffer.from(vault.open(privateKey, sealed, 'papers')).toString()).toBe('probe');
      expect(sealed.includes('probe')).toBe(false);
      sealed[sealed.length - 1]! ^= 1;
      expect(() => vault.open(privateKey, sealed, 'papers')).toThrow();
    },
    devices() {
      expect(deviceHash(vault, 'device', 'one')).not.toEqual(deviceHash(vault, 'device', 'other'));
    },
    async passwords() {
      expect(await vault.createVerifier('password')).toMatch(/^\$argon2id\$v=19\$/);
    },
    async limits() {
      const limits = createRateLimits({ db: await engine.open(), clock: { now: () => 1_790_000_000_000 } });
      for (let n = 0; n < LOGIN_FAILURES.count; n++) await fail(limits, 'login', 'sender', 'nobody');
      await expect(fail(limits, 'login', 'sender', 'nobody')).rejects.toMatchObject({ code: 'too_many_attempts' });
    },
    analysis() {
      expect([...Object.keys(TABLES), ...Object.keys(contract)].filter((name) => FACES.test(name))).toEqual([]);
    },
    async defaults() {
      const db = await engine.open();
      await addEvent({ db, vault }, { created_at: 1_790_000_000_000 });
      const { gallery_mode } = await db.kysely.selectFrom('events').select('gallery_mode').executeTakeFirstOrThrow();
      const { with_videos } = EventForm.parse({ title: 'Fest', start_date: '2026-01-01', end_date: '2026-01-01' });
      expect({ gallery_mode, with_videos }).toEqual({ gallery_mode: 'drop', with_videos: false });
    },
    axe() {
      const { release, pages } = JSON.parse(readFileSync(join(import.meta.dirname, 'axe-results.json'), 'utf8')) as {
        release: string;
        pages: Record<string, number>;
      };
      expect(release).toBe(VERSION);
      expect(Object.keys(pages).length).toBeGreaterThan(0);
      expect(Object.entries(pages).filter(([, violations]) => violations > 0)).toEqual([]);
    },
  };

  it.each(Object.keys(PROVEN) as ProvenId[])('%s', (id) => PROOFS[id]());
});
