import { setTimeout as pause } from 'node:timers/promises';
import { sha256 } from '../../../e2e/support/sha256.ts';
import type { Random } from '../../support/random.ts';
import { askUntilAnswered, type ClientContext } from './clients.ts';
import type { HostedEvent } from './events.ts';
import { drawBytes } from './guests.ts';
import { listGallery } from './hosts.ts';

export const BOOTH_PASSWORD = 'ein-Kennwort-der-Fotobox';
const RETRY_MS = 500;
const PAUSE_MOST_MS = 2000;

/** Runs a booth that writes each picture into its folder until it is answered; returns the SHA-256 of the answered ones. */
export async function runBooth(context: ClientContext, { code }: HostedEvent, random: Random): Promise<Set<string>> {
  const { ask, working, base } = context;
  const headers = { authorization: `Basic ${Buffer.from(`${code}:${BOOTH_PASSWORD}`).toString('base64')}` };
  const written = new Set<string>();
  for (let n = 1; working(); n++) {
    const bytes = drawBytes(base, random);
    for (;;) {
      // A picture whose answer was lost is written again, over itself.
      const answer = await ask({ kind: 'PUT /dav', method: 'PUT', path: `/dav/${code}/IMG_${n}.JPG`, headers, body: bytes });
      if (answer.ok) break;
      await pause(RETRY_MS);
    }
    written.add(sha256(bytes));
    await pause(random.between(100, PAUSE_MOST_MS));
  }
  return written;
}

/** Checks that each written picture is stored once. */
export async function checkBooth(context: ClientContext, event: HostedEvent, cookie: string, written: Set<string>): Promise<void> {
  const { ask, findings } = context;
  const ids = await listGallery(context, event, { cookie });
  if (!ids) return findings.add('the gallery of the booth cannot be read');
  const stored = new Set<string>();
  for (const id of ids) {
    const answer = await askUntilAnswered(ask, { kind: 'GET download', path: `/api/photos/${id}/download`, headers: { cookie } });
    const sha = sha256(answer.body);
    if (stored.has(sha)) findings.add(`${id} of the booth is there twice`);
    if (!written.has(sha)) findings.add(`${id} of the booth holds what it did not write`);
    stored.add(sha);
  }
  const lost = [...written].filter((sha) => !stored.has(sha));
  if (lost.length > 0) findings.add(`${lost.length} of ${written.size} pictures of the booth are lost`);
}
