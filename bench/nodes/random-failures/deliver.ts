import { setTimeout as pause } from 'node:timers/promises';
import { randomShortToken } from '../../../server/src/lib/ids.ts';
import type { Random } from '../../support/random.ts';
import { jsonOf, type Answer, type Ask, type Accepted } from './ask.ts';
import type { Findings } from './findings.ts';
import type { Ledger, Sent } from './ledger.ts';

/** Pause before a guest repeats a request, ms. */
const RETRY_MS = 300;
const PIECE_LEAST_BYTES = 100_000;
const PIECE_MOST_BYTES = 4_000_000;
/** Longest pause between two pieces of 64 KB on a slow connection, ms. */
const SLOWEST_MS = 120;
/** Share of requests that the guest breaks off. */
const BREAKS = 0.08;

/**
 * `form`: POST /upload, and tus after a break, as the guest's page does. `tus`: announced, in several requests. `plain`: POST /upload again
 * and again. `preview`: the preview first, as a phone on a slow line does, then tus.
 */
export type Way = 'form' | 'tus' | 'plain' | 'preview';

export interface Party {
  id: string;
  code: string;
  /** The event's purge was requested: it may refuse everything. */
  ended: boolean;
  /** The event may be full. */
  limited: boolean;
}

export interface Guest {
  device: string;
  party: Party;
}

interface Tools {
  ask: Ask;
  ledger: Ledger;
  findings: Findings;
  random: Random;
  /** The picture of each photo. */
  base: Buffer;
}

const ENDED_CODES = ['event_inactive', 'event_not_found', 'upload_not_found', 'upload_expired', 'photo_removed'];
const TUS = { 'tus-resumable': '1.0.0' };

export function createDelivery({ ask, ledger, findings, random, base: picture }: Tools) {
  /**
   * Sends a photo until it is acknowledged, through all failures on the way; returns its id, or `full` or `ended` if the event refuses it.
   * `times`: parallel deliveries of the same photo.
   */
  async function deliver(guest: Guest, sent: Sent, bytes: Buffer, way: Way, times = 1): Promise<string> {
    const { party, device } = guest;
    const key = randomShortToken();
    const path = `/uploads/${key}`;
    /** The server has confirmed that it knows the key. */
    let announced = false;
    /** Id of the photo that a preview has shown, while its original follows. */
    let shown = null as string | null;
    let offset: number | null = null;
    const base = (): { headers: Record<string, string>; signal?: AbortSignal } => ({
      headers: { 'device-id': device },
      ...(random.chance(BREAKS) && { signal: AbortSignal.timeout(random.between(20, 2000)) }),
    });
    const accepted = (): Accepted => [
      'upload_incomplete',
      'upload_offset',
      ...(party.ended ? [...ENDED_CODES, 403, 404, 410] : []),
      ...(party.limited ? ['storage_full'] : []),
    ];
    const paceMs = random.chance(0.25) ? random.between(5, SLOWEST_MS) : 0;

    function post(): Promise<Answer> {
      const form = formOf(bytes, party.code, `${sent.sha.slice(0, 8)}.jpg`);
      const { headers, ...rest } = base();
      return ask({
        kind: 'POST /upload',
        method: 'POST',
        path: '/upload',
        headers: { ...headers, ...form.headers, 'event-code': party.code, 'device-name': 'Anna' },
        body: form.body,
        paceMs,
        accepted,
        ...rest,
      });
    }

    /** Sends the preview, which shows the photo. */
    async function preview(): Promise<Answer> {
      const { headers, ...rest } = base();
      const answer = await ask({
        kind: 'PUT preview',
        method: 'PUT',
        path: `${path}/preview`,
        headers: { ...headers, ...about(), 'content-type': 'image/jpeg' },
        body: picture,
        accepted,
        ...rest,
      });
      if (answer.ok) shown = jsonOf<{ photo: { id: string } }>(answer).photo.id;
      announced ||= answer.ok;
      return answer;
    }

    /** Gives the photo up as a phone does; its preview goes. */
    async function withdraw(): Promise<void> {
      for (;;) {
        const answer = await ask({
          kind: 'DELETE /uploads',
          method: 'DELETE',
          path,
          headers: { 'device-id': device, ...TUS },
          accepted: ['upload_not_found', 'upload_expired', 'photo_removed'],
        });
        if (answer.ok || [404, 410].includes(answer.status)) return;
        await pause(RETRY_MS);
      }
    }

    const about = (): Record<string, string> => {
      const metadata = Object.entries({ filename: 'a.jpg', eventCode: party.code, deviceName: 'Jörg' });
      return {
        ...TUS,
        'upload-length': String(bytes.length),
        'upload-key': key,
        'upload-metadata': metadata.map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`).join(','),
      };
    };

    async function announce(): Promise<Answer> {
      const { headers, ...rest } = base();
      const answer = await ask({
        kind: 'POST /uploads',
        method: 'POST',
        path: '/uploads',
        headers: { ...headers, ...about() },
        accepted,
        ...rest,
      });
      announced ||= answer.ok;
      return answer;
    }

    async function askOffset(): Promise<Answer> {
      const { headers, ...rest } = base();
      const answer = await ask({ kind: 'HEAD /uploads', method: 'HEAD', path, headers: { ...headers, ...TUS }, accepted, ...rest });
      if (answer.ok) offset = Number(answer.headers['upload-offset']);
      forgetWhereGone(answer);
      return answer;
    }

    async function append(from: number): Promise<Answer> {
      const { headers, ...rest } = base();
      const piece = bytes.subarray(from, from + random.between(PIECE_LEAST_BYTES, PIECE_MOST_BYTES));
      const answer = await ask({
        kind: 'PATCH /uploads',
        method: 'PATCH',
        path,
        headers: { ...headers, ...TUS, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
        body: piece,
        paceMs,
        accepted,
        ...rest,
      });
      offset = answer.status === 204 ? Number(answer.headers['upload-offset']) : null;
      forgetWhereGone(answer);
      return answer;
    }

    /** Makes the upload begin anew after 404 or 410. */
    function forgetWhereGone({ status }: Answer): void {
      if (status === 404 || status === 410) announced = false;
    }

    for (let first = true; ; first = false) {
      if (!first && offset === null) await pause(RETRY_MS);
      let answer: Answer;
      if (way === 'plain' || (way === 'form' && first)) answer = await post();
      // A phone whose preview broke off sends the original alone.
      else if (way === 'preview' && first) answer = await preview();
      else if (!announced) answer = await announce();
      else if (offset !== null) answer = await append(offset);
      else answer = await askOffset();
      const photo = answer.ok && answer.body.length > 2 ? jsonOf<{ photo?: { id: string; state: string } }>(answer).photo : undefined;
      if (photo && photo.state !== 'announced') {
        const digest = `sha-256=:${Buffer.from(sent.sha, 'hex').toString('base64')}:`;
        if (answer.headers['repr-digest'] !== digest) findings.add(`${photo.id} was acknowledged with another digest`);
        // The same bytes may have come by another way: then they are that photo.
        if (shown !== null && shown !== photo.id && sent.id !== photo.id && times === 1)
          findings.add(`${shown} was shown, and became ${photo.id}`);
        ledger.acknowledge(sent, photo.id);
        return photo.id;
      }
      if (answer.code === 'storage_full') {
        if (way === 'preview') await withdraw();
        return 'full';
      }
      if (party.ended && (ENDED_CODES.includes(answer.code ?? '') || [403, 404, 410].includes(answer.status))) return 'ended';
    }
  }

  return { deliver, remove: (guest: Guest, sent: Sent) => removePhoto(ask, { 'device-id': guest.device }, sent) };
}

/** Deletes a photo, repeating the request until that is sure. */
export async function removePhoto(ask: Ask, headers: Record<string, string>, sent: Sent): Promise<void> {
  for (;;) {
    const asked = sent.deletion;
    sent.deletion = 'asked';
    const accepted = asked === 'asked' ? ['photo_not_found'] : [];
    const path = `/api/photos/${sent.id}`;
    const answer = await ask({
      kind: 'DELETE photo',
      method: 'DELETE',
      path,
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
      accepted,
    });
    if (answer.ok || answer.status === 404) break;
    await pause(RETRY_MS);
  }
  sent.deletion = 'done';
}

const BOUNDARY = 'feierbild-bench';

function formOf(file: Buffer, code: string, name: string): { headers: Record<string, string>; body: Buffer } {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/jpeg\r\n\r\n`;
  const field = (key: string, value: string): string =>
    `\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}`;
  const tail = `${field('eventCode', code)}${field('deviceName', 'Anna')}\r\n--${BOUNDARY}--\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return { headers, body: Buffer.concat([Buffer.from(head), file, Buffer.from(tail)]) };
}
