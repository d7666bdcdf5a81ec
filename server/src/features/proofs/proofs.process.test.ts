import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { writeSetting } from '../../database/settings.ts';
import { engines } from '../../database/testing.ts';
import { systemClock as clock } from '../../lib/clock.ts';
import { createVault } from '../../vault/vault.ts';
import { createRateLimits } from '../rate-limits/rate-limits.ts';
import { createBoothTokens } from '../links/booth-tokens.ts';
import { createLetters } from '../mail/letters.ts';
import { createReceipts } from '../receipts/receipts.ts';
import { createKnownBrowsers } from '../sessions/known-browsers.ts';
import { addEvent } from '../testing.ts';

const EVENT = { id: '01970000-0000-7000-8000-000000000000', code: 'K7MQ2XWA' };
const KEY = Buffer.from(Array.from({ length: 32 }, (_, n) => n));
const [sqlite] = engines();

// The proofs are on printed cards and in sent mails: these values were recorded before one place made them all.
it('proofs by the installation stay what they were, and nothing else is taken for one', async () => {
  const db = await sqlite!.open();
  await writeSetting(db, 'installation_key', KEY);
  const vault = createVault();
  const limits = createRateLimits({ db, clock });
  const receipts = createReceipts({ db, vault, clock });

  await limits.serialized('login', ['192.0.2.1', 'frieda'], async (attempt) => attempt.failed());
  const { bucket } = await db.kysely.selectFrom('failures').select('bucket').executeTakeFirstOrThrow();
  expect(bucket).toBe('1u4Uekp5Mn3Xwubchp_nAOLRQTFVG-K4eVnudsGmOug');
  expect(await receipts.linkTo(EVENT)).toBe('/loeschprotokoll/K7MQ2XWA#XuMe4c7NxVHwq5mIZoGHYQ');
  expect(Buffer.from(await createBoothTokens({ db, vault, clock, limits }).keyOf(EVENT.id)).toString('base64url')).toBe(
    'nV5ONIv7WyJXTWRh3egtuY2YJLTGubM-tL62O47Qudw',
  );

  const browsers = createKnownBrowsers({ db, secure: false });
  const browser = 'HzTod5YgJhyYJ09MESIOY2VE2zzTwIMdVPPtWCMQwnA';
  const known = (mac: string) => browsers.proofOf({ cookies: { feierbild_known_host: `${browser}.${mac}` } } as never, 'user', 'frieda');
  const mac = 'zCl_Nc6u8hXLsxPRDwpw7zO9JsB5Z8s3Ri1LTe8qcVg';
  expect([await known(mac), await known('A'.repeat(43)), await known('')]).toEqual([`browser ${browser}`, undefined, undefined]);

  const { id } = await addEvent({ db, vault }, { created_at: clock.now() });
  await db.kysely.insertInto('host_contacts').values({ event_id: id, email: 'lena@example.org', name: '', muted: '' }).execute();
  const letters = createLetters({ db, clock, receipts });
  const left = (proof: string) => letters.unsubscribe(`${id}.begins.${proof}`, false);
  const right = createHmac('sha256', KEY)
    .update(JSON.stringify(['unsubscribe', id, 'begins']))
    .digest('base64url')
    .slice(0, 22);
  expect([await left(right), await left('A'.repeat(22)), await left('')]).toEqual(['Erinnerung an den Beginn', null, null]);
  await sqlite!.dispose();
});
