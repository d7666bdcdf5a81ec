import { isUuid } from '../../lib/ids.ts';
import { collect } from '../../lib/stages.ts';
import { BlobMissing, eventPrefix, EVENTS_PREFIX, OWNER_BLOB } from '../../storage/blob-store.ts';
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

  /** Returns whether the mark is this database's; null if there is none. */
  async function isMarked(): Promise<boolean | null> {
    const found = await collect(blobs.read(OWNER_BLOB, { start: 0, end: MOST_BYTES })).catch((error: unknown) => {
      if (error instanceof BlobMissing) return null;
      throw error;
    });
    return found && isProof(await proof('store'), Buffer.from(found).toString());
  }

  async function hasBlobs(eventId: string): Promise<boolean> {
    for await (const blob of blobs.list(eventPrefix(eventId))) return blob.size >= 0;
    return false;
  }

  /** Tells whose photos a store has by the events that this database knows. A deletion may leave a folder without blobs. */
  async function photosIn(): Promise<'none' | 'own' | 'others'> {
    let found: 'none' | 'others' = 'none';
    for await (const id of blobs.folders(EVENTS_PREFIX, '')) {
      if (!isUuid(id)) continue;
      if (await db.kysely.selectFrom('events').select('id').where('id', '=', id).executeTakeFirst()) return 'own';
      if (found === 'none' && (await hasBlobs(id))) found = 'others';
    }
    return found;
  }

  /**
   * Returns whether the store has this database's mark. Throws OthersStore if it has photos, and another mark, or none and no event that is
   * known.
   */
  async function check(): Promise<boolean> {
    const marked = await isMarked();
    if (marked) return true;
    const photos = await photosIn();
    if (photos === 'others' || (photos === 'own' && marked === false)) throw new OthersStore();
    return false;
  }

  return {
    check,
    /** Throws OthersStore if the store has the mark of another database. */
    async refuseOthers(): Promise<void> {
      if ((await isMarked()) === false) throw new OthersStore();
    },
    /** Marks the store as this database's. Throws OthersStore. */
    async claim(): Promise<void> {
      if (!(await check())) await blobs.put(OWNER_BLOB, Buffer.from(await proof('store')));
    },
  };
}
