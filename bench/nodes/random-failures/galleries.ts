import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { jsonOf } from './ask.ts';
import { askUntilAnswered, cookieOf, withJson, type ClientContext } from './clients.ts';
import type { Party } from './deliver.ts';
import { listGallery } from './hosts.ts';

const HEARTS = 0.5;
const RETRY_MS = 300;

/** Opens an event's gallery to its guests; returns the token of its link. */
export async function openGallery({ ask }: ClientContext, { code }: Party, cookie: string): Promise<string> {
  const path = `/api/events/${code}/gallery`;
  const opened = await askUntilAnswered(ask, { kind: 'PUT gallery', method: 'PUT', path, ...withJson({ mode: 'open' }, { cookie }) });
  return jsonOf<{ url: string }>(opened).url.split('#')[1] as string;
}

/**
 * Runs a guest who comes by the gallery's link, looks at it again and again, and gives and takes hearts. Checks that acknowledged photos
 * are there, and hearts as they were given last.
 */
export async function runGalleryGuest(context: ClientContext, party: Party, token: string, device: string, random: Random): Promise<void> {
  const { ask, ledger, findings, working } = context;
  const opened = await askUntilAnswered(ask, {
    kind: 'POST gallery/login',
    method: 'POST',
    path: '/auth/gallery/login',
    ...withJson({ code: party.code, token }, { 'device-id': device }),
  });
  const headers = { cookie: cookieOf(opened), 'device-id': device };
  /** This guest's hearts whose last answer is known. */
  const hearts = new Map<string, boolean>();

  async function give(id: string): Promise<void> {
    const value = random.chance(0.7);
    hearts.delete(id);
    const path = `/api/photos/${id}/heart`;
    const answer = await ask({ kind: 'PUT heart', method: 'PUT', path, ...withJson({ value }, headers), accepted: ['photo_not_found'] });
    if (answer.ok && jsonOf<{ value: boolean }>(answer).value !== value) findings.add(`the heart of ${id} was answered otherwise`);
    if (answer.ok) hearts.set(id, value);
  }

  while (working()) {
    const due = ledger.acknowledged(party.id).filter(({ deletion }) => deletion === 'none');
    const shown = new Map<string, boolean>();
    const listed = await listGallery(context, party, headers, ({ id, heart }) => shown.set(id, heart === true));
    if (!listed) {
      await pause(RETRY_MS);
      continue;
    }
    for (const { id } of due)
      if (!shown.has(id as string) && ledger.byId(id as string)?.deletion === 'none')
        findings.add(`guests lack the acknowledged photo ${id}`);
    for (const [id, value] of hearts)
      if (shown.has(id) && shown.get(id) !== value) findings.add(`the heart of ${id} is lost, or came back`);
    const some = random.pick(listed);
    if (some !== undefined && random.chance(HEARTS)) await give(some);
    if (some !== undefined)
      await ask({ kind: 'GET thumbnail, guest', path: `/api/photos/${some}/thumbnail`, headers, accepted: ['photo_not_found'] });
    await pause(random.between(200, 2500));
  }
}
