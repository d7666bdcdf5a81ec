import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../../e2e/support/sha256.ts';
import { centralEntries } from '../../../server/src/features/archive/testing/read-zip.ts';
import type { Random } from '../../support/random.ts';
import { jsonOf } from './ask.ts';
import type { Party } from './deliver.ts';
import type { ClientContext } from './clients.ts';

/** More bytes than the list at the end of a ZIP has. */
const TAIL_BYTES = 8_000_000;
const POLL_MS = 500;
/** Bytes of a local header without its name and extra fields (APPNOTE 4.3.7). */
const LOCAL_BYTES = 30;

/** Makes the event's ZIP and downloads it, resuming after breaks; null: a photo was deleted meanwhile, or nobody waits any more. */
export async function downloadZip(
  { ask, findings, ledger }: Pick<ClientContext, 'ask' | 'findings' | 'ledger'>,
  { id, code }: Party,
  cookie: string,
  file: string,
  mayWait: () => boolean,
) {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const path = `/api/events/${code}`;
  for (;;) {
    if (!mayWait()) return null;
    const made = await ask({
      kind: 'POST create-zip',
      method: 'POST',
      path: `${path}/create-zip`,
      headers,
      accepted: ['archive_running', 'archive_empty'],
    });
    if (made.code === 'archive_empty') return null;
    if (made.ok || made.code === 'archive_running') break;
    await pause(POLL_MS);
  }
  for (;;) {
    if (!mayWait()) return null;
    const progress = await ask({ kind: 'GET zip-progress', path: `${path}/zip-progress`, headers });
    const status = progress.ok ? jsonOf<{ status: string }>(progress).status : 'processing';
    if (status === 'complete') break;
    if (status !== 'processing') return null;
    await pause(POLL_MS);
  }

  const deleted = (states: string[]): number => ledger.acknowledged(id).filter(({ deletion }) => states.includes(deletion)).length;
  rmSync(file, { force: true });
  const out = openSync(file, 'w');
  let at = 0;
  let etag = '';
  try {
    for (;;) {
      if (!mayWait()) return null;
      let fresh = true;
      const before = deleted(['done']);
      const answer = await ask({
        kind: 'GET ZIP',
        path: `${path}/download`,
        headers: { ...headers, ...(at > 0 && { range: `bytes=${at}-`, 'if-range': etag }) },
        // If a photo of its list is deleted, the ZIP breaks off and is gone.
        accepted: () => ['archive_not_ready', 'range_unsatisfiable', ...(deleted(['asked', 'done']) > before ? [0] : [])],
        take(piece, { statusCode, headers: { etag: current = '' } }) {
          if (fresh && statusCode === 200) {
            if (at > 0 && current === etag) findings.add('a range of the ZIP was answered with the whole');
            at = 0;
          }
          fresh = false;
          etag = current;
          at += writeSync(out, piece, 0, piece.length, at);
        },
      });
      if (answer.ok) break;
      if (answer.code === 'archive_not_ready') return null;
      // The download broke off behind its last byte.
      if (answer.code === 'range_unsatisfiable') at = 0;
      await pause(POLL_MS);
    }
  } finally {
    closeSync(out);
  }
  return readZip(file, at);
}

/** Returns the SHA-256 of each photo in a ZIP; throws if the ZIP is damaged. */
function readZip(file: string, size: number): string[] {
  if (statSync(file).size < size) throw new Error('the ZIP is too short');
  const fd = openSync(file, 'r');
  const bytesAt = (at: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    if (readSync(fd, bytes, 0, length, at) !== length) throw new Error('the ZIP ends early');
    return bytes;
  };
  try {
    const tailAt = Math.max(0, size - TAIL_BYTES);
    return centralEntries(bytesAt(tailAt, size - tailAt), tailAt).map(({ name, size: length, crc, offset }) => {
      const local = bytesAt(offset, LOCAL_BYTES);
      const bytes = bytesAt(offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28), length);
      if (crc32(bytes) !== crc) throw new Error(`${name} in the ZIP has another checksum`);
      return sha256(bytes);
    });
  } finally {
    closeSync(fd);
  }
}

/** Downloads the ZIP of an event again and again; checks that each whole one contains photos as they were sent. */
export async function collectZips(
  context: ClientContext,
  party: Party,
  cookie: string,
  folder: string,
  random: Random,
): Promise<{ whole: number }> {
  const { ledger, findings, working } = context;
  let whole = 0;
  while (working()) {
    try {
      const found = await downloadZip(context, party, cookie, join(folder, 'during.zip'), working);
      if (found) {
        whole += 1;
        for (const sha of found) if (!ledger.bySha(sha)) findings.add('a photo in the ZIP is none that was sent');
        if (new Set(found).size < found.length) findings.add('a photo is in the ZIP twice');
      }
    } catch (error) {
      findings.add(`the ZIP: ${(error as Error).message}`);
    }
    await pause(random.between(1000, 5000));
  }
  return { whole };
}
