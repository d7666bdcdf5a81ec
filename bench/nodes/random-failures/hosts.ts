import { setTimeout as pause } from 'node:timers/promises';
import { sha256 } from '../../../e2e/support/sha256.ts';
import type { Random } from '../../support/random.ts';
import { jsonOf } from './ask.ts';
import { removePhoto, type Party } from './deliver.ts';
import type { ClientContext } from './clients.ts';

interface Listed {
  id: string;
  /** Set for a guest of the gallery: the guest's own heart. */
  heart?: true;
}

interface Page {
  photos: Listed[];
  next: number | null;
}

const DELETES = 0.5;
const RETRY_MS = 300;

/** Lists all photos of an event by its gallery; null: a page failed. */
export async function listGallery(
  { ask }: Pick<ClientContext, 'ask'>,
  { code }: Party,
  headers: Record<string, string>,
  each: (photo: Listed) => void = () => undefined,
): Promise<string[] | null> {
  const ids: string[] = [];
  for (let after = 0; ;) {
    const answer = await ask({ kind: 'GET photos', path: `/api/events/${code}/photos?after=${after}&per_page=100`, headers });
    if (!answer.ok) return null;
    const page = jsonOf<Page>(answer);
    if (page.photos.length === 0) return ids;
    page.photos.forEach(each);
    ids.push(...page.photos.map(({ id }) => id));
    // A guest's list tells its end.
    if (page.next === null) return ids;
    after = page.next;
  }
}

/** Pages through the gallery, looks at photos, deletes some; checks each time that acknowledged photos are there. */
export async function runHost(context: ClientContext, party: Party, cookie: string, random: Random): Promise<void> {
  const { ask, ledger, findings, working } = context;
  while (working()) {
    const before = ledger.acknowledged(party.id);
    const due = before.filter(({ deletion }) => deletion === 'none').map((sent) => sent.id as string);
    const gone = before.filter(({ deletion }) => deletion === 'done').map((sent) => sent.id as string);
    const listed = await listGallery(context, party, { cookie });
    if (listed) {
      const there = new Set(listed);
      if (there.size < listed.length) findings.add(`the gallery listed ${listed.length - there.size} photos twice`);
      for (const id of due)
        if (!there.has(id) && ledger.byId(id)?.deletion === 'none') findings.add(`the gallery lacks the acknowledged photo ${id}`);
      for (const id of gone) if (there.has(id)) findings.add(`the gallery lists the deleted photo ${id}`);
      await lookAt(random.pick(due));
      const mayGo = before.filter(({ settled, deletion }) => settled && deletion === 'none');
      if (mayGo.length > 20 && random.chance(DELETES)) await removePhoto(ask, { cookie }, random.pick(mayGo));
    } else await pause(RETRY_MS);
    await pause(random.between(200, 2500));
  }

  async function lookAt(id: string | undefined): Promise<void> {
    const sent = id === undefined ? undefined : ledger.byId(id);
    if (!sent || sent.deletion !== 'none') return;
    const variant = random.pick(['thumbnail', 'preview', 'download']);
    const answer = await ask({
      kind: `GET ${variant}`,
      path: `/api/photos/${id}/${variant}`,
      headers: { cookie },
      // The guest may delete the photo meanwhile.
      ...(party.limited && { accepted: ['photo_not_found'] }),
    });
    if (answer.ok && variant === 'download' && sha256(answer.body) !== sent.sha) findings.add(`${id} was answered with other bytes`);
  }
}

/** Logs in again and again, now and then with a wrong password. */
export async function runLogins(
  context: ClientContext,
  logins: { path: string; body: { username: string; password: string } }[],
  random: Random,
): Promise<void> {
  const { ask, working } = context;
  while (working()) {
    const { path, body } = random.pick(logins);
    const wrong = random.chance(0.05);
    const tried = wrong ? { ...body, password: 'ein-falsches-Kennwort' } : body;
    const answer = await ask({
      kind: wrong ? 'login, wrong' : 'login',
      method: 'POST',
      path,
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(tried)),
      accepted: wrong ? ['invalid_credentials'] : [],
    });
    if (wrong && answer.ok) context.findings.add('a wrong password was accepted');
    await pause(random.between(1500, 5000));
  }
}
