import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import type { Db } from '../../../database/open.ts';
import type { Engine } from '../../../database/testing.ts';
import { createLog } from '../../../lib/log.ts';
import type { BlobStore } from '../../../storage/blob-store.ts';
import { createFolderStore } from '../../../storage/folder-store.ts';
import { createQuickVault } from '../../../vault/testing/quick-vault.ts';
import { createArchive, type Archive } from '../archive.ts';
import { createSealedMetadata, type SealedMetadata } from '../../sealed-metadata/sealed-metadata.ts';
import { createParty, type Party } from './party.ts';
import { RUN_FOLDER } from '../../../testing/run-folder.ts';

const vault = createQuickVault();
export const NOW = Date.parse('2026-05-18T12:00:00Z');
/** Does nothing: the photos of these tests came without a preview. */
const verifyReceived = async (): Promise<void> => undefined;

interface Opened {
  db: Db;
  folder: string;
  blobs: BlobStore;
  sealedMetadata: SealedMetadata;
  archive: Archive;
  party: Party;
}

/** For tests: sets up an event and its archive before each test. */
export function zipsOf(engine: Engine, onOpen: (opened: Opened) => void) {
  const clock = { time: NOW, now: () => clock.time };
  let db: Db | undefined;
  let at: Opened;
  const openKey = () => at.party.keys.privateKey;
  const make = async () => {
    await at.archive.create(at.party.eventId, openKey);
    await at.archive.close();
    return at.archive.status(at.party.eventId);
  };
  const whole = async () => {
    const zip = await at.archive.open(at.party.eventId, openKey);
    const parts: Uint8Array[] = [];
    const range = { start: 0, end: zip.size };
    for await (const piece of zip.read(range)) parts.push(Buffer.from(piece));
    await zip.sent(range);
    const bytes = Buffer.concat(parts);
    expect(bytes.length).toBe(zip.size);
    return bytes;
  };

  beforeEach(async () => {
    clock.time = NOW;
    db ??= await engine.open();
    const folder = mkdtempSync(join(RUN_FOLDER, 'feierbild-archive-'));
    const blobs = createFolderStore({ folder });
    const sealedMetadata = createSealedMetadata({ vault, log: createLog('silent') });
    const archive = createArchive({ db, blobs, vault, sealedMetadata, verifyReceived, clock, log: createLog('silent') });
    at = { db, folder, blobs, sealedMetadata, archive, party: await createParty({ db, blobs, vault }, 'Hochzeit Größe') };
    onOpen(at);
  });
  afterEach(async () => {
    await at.archive.close();
    rmSync(at.folder, { recursive: true, force: true });
  });
  afterAll(() => engine.dispose());

  return { clock, vault, verifyReceived, openKey, make, whole };
}
