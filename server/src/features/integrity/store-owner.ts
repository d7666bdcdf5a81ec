import type { Bytes } from '../../lib/bytes.ts';
import { isUuid } from '../../lib/ids.ts';
import { collect } from '../../lib/stages.ts';
import { BlobMissing, EVENTS_PREFIX, OWNER_BLOB } from '../../storage/blob-store.ts';
import type { Context } from '../context.ts';
import { createProof, isProof } from '../proofs/proofs.ts';

/** A proof has 43 bytes; only this much of the blob is read. */
const MOST_BYTES = 100;

/** The photo store belongs to another database: to this one, all its photos would be leftovers. */
export class OthersStore extends Error {
  constructor() {
    super(
      'Im Fotospeicher liegen die Fotos eines anderen Feierbild; nichts davon wurde verändert. Entweder ist es der falsche Speicher (STORAGE_URL, DATA_DIR), oder hier fehlt die Datenbank dazu (DATABASE_URL, feierbild.sqlite in DATA_DIR). Ein neues Feierbild braucht einen leeren Fotospeicher.',
    );
  }
}

export type StoreOwner = ReturnType<typeof createStoreOwner>;

/** Creates the check that photo store and database belong together. */
export function createStoreOwner({ db, blobs }: Pick<Context, 'db' | 'blobs'>) {
  const proof = createProof(db);

  async function mark(): Promise<Bytes | null> {
    try {
      return await collect(blobs.read(OWNER_BLOB, { start: 0, end: MOST_BYTES }));
    } catch (error) {
      if (error instanceof BlobMissing) return null;
      throw error;
    }
  }

  /** Tells whether a store without a mark is this database's: it has no events, or one of them is known. */
  async function isOwn(): Promise<boolean> {
    let isEmpty = true;
    for await (const id of blobs.folders(EVENTS_PREFIX, '')) {
      if (!isUuid(id)) continue;
      isEmpty = false;
      if (await db.kysely.selectFrom('events').select('id').where('id', '=', id).executeTakeFirst()) return true;
    }
    return isEmpty;
  }

  /** Throws OthersStore if the store has the mark of another database; true if it has this database's. */
  async function isMarked(): Promise<boolean> {
    const found = await mark();
    if (found && !isProof(await proof('store'), Buffer.from(found).toString())) throw new OthersStore();
    return found !== null;
  }

  return {
    isMarked,
    /** Marks a store without a mark as this database's. Throws OthersStore, also if it has events and none of them is known. */
    async claim(): Promise<void> {
      if (await isMarked()) return;
      if (!(await isOwn())) throw new OthersStore();
      await blobs.put(OWNER_BLOB, Buffer.from(await proof('store')));
    },
  };
}
