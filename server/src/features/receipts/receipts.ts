import { BACKUPS_KEPT_DAYS, DAY, RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { receiptText, type Receipt } from '@feierbild/contract/receipt.ts';
import type { Trx } from '../../database/open.ts';
import type { ReceiptRow } from '../../database/rows.ts';
import { createInstallationKey } from '../../database/settings.ts';
import type { Http } from '../../http/bind.ts';
import type { Visitor } from '../../http/visitor.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import { createDerivedProof, isProof } from '../proofs/proofs.ts';
import { isSigned, signingKeyId, signingPublicKey, signText } from '../../vault/signing.ts';
import type { Context } from '../context.ts';
import { iso } from '../../lib/clock.ts';

/** Bytes of a link's token. */
const TOKEN_BYTES = 16;
/** Receipts that one run signs; the next run signs more. */
const AT_ONCE = 1000;
/** Most receipts in the administrators' list. */
const SHOWN = 500;

/** The parts of a deletion that are noted before a receipt is signed. */
type Step = 'rows_gone_at' | 'bytes_gone_at';

/**
 * Begins the receipt of an event, in the transaction that deletes its keys: afterwards its counts are gone. Does nothing if the keys are
 * gone already, and for the demo.
 */
export async function beginReceipt(trx: Trx, eventId: string, now: number): Promise<void> {
  const event = await trx
    .selectFrom('events')
    .innerJoin('event_keys', 'event_keys.event_id', 'events.id')
    .select(['code', 'photo_count as photos', 'video_count as videos', 'used_bytes as bytes'])
    .where('id', '=', eventId)
    .where('demo', '=', 0)
    .executeTakeFirst();
  if (!event) return;
  const { code: event_code, ...held } = event;
  await trx
    .insertInto('receipts')
    .values({ event_id: eventId, event_code, ...held, begun_at: now })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .execute();
}

/** Notes in a receipt that a part of the deletion is done, unless it is noted already. */
export async function noteDeletion(trx: Trx, eventId: string, step: Step, now: number): Promise<void> {
  await trx
    .updateTable('receipts')
    .set({ [step]: now })
    .where('event_id', '=', eventId)
    .where(step, 'is', null)
    .execute();
}

/** Tells whether the key has signed a receipt. */
export function isReceiptSigned({ signature, ...receipt }: Receipt, publicKey: Bytes): boolean {
  const bytes = Buffer.from(signature, 'base64');
  // Base64 has unused bits: a changed one is a forgery, too.
  const fits = signingKeyId(publicKey) === receipt.key_id && bytes.toString('base64') === signature;
  return fits && isSigned(publicKey, receiptText(receipt), bytes);
}

export type Receipts = ReturnType<typeof createReceipts>;

/**
 * Signs receipts of deleted events. A receipt is signed only after the store has removed all blobs of the event and no byte of the keys is
 * left in the database's files. The purge notes these steps in its own transactions, so a crash leaves none out.
 */
export function createReceipts({ db, vault, clock }: Pick<Context, 'db' | 'vault' | 'clock'>) {
  const { kysely } = db;
  const seed = createInstallationKey(db, 'receipt_key');
  const proof = createDerivedProof(db, vault);

  /** Makes the token in the link to an event's receipt: the same before the deletion and in the mail after it. */
  async function tokenOf(eventId: string): Promise<string> {
    return Buffer.from((await proof('receipt-link', eventId)).subarray(0, TOKEN_BYTES)).toString('base64url');
  }

  /** Finds the events and receipts that an id or a code names: a code may have been drawn again. */
  async function named(ref: string): Promise<{ id: string; row: ReceiptRow | undefined }[]> {
    const [receiptColumn, eventColumn] = isUuid(ref) ? (['event_id', 'id'] as const) : (['event_code', 'code'] as const);
    const value = isUuid(ref) ? ref : cleanEventCode(ref);
    const rows = await kysely.selectFrom('receipts').selectAll().where(receiptColumn, '=', value).orderBy('begun_at', 'desc').execute();
    const event = await kysely.selectFrom('events').select('id').where(eventColumn, '=', value).executeTakeFirst();
    const found = rows.map((row) => ({ id: row.event_id, row: row as ReceiptRow | undefined }));
    return event && !rows.some(({ event_id }) => event_id === event.id) ? [{ id: event.id, row: undefined }, ...found] : found;
  }

  async function signRow(row: ReceiptRow & { keys_destroyed_at: number }): Promise<void> {
    const own = await seed();
    const public_key = signingPublicKey(own);
    const backups_gone_by = row.keys_destroyed_at + BACKUPS_KEPT_DAYS * DAY;
    const signature = signText(own, receiptText(unsigned({ ...row, public_key, backups_gone_by })));
    await db.transaction(async (trx) => {
      const open = trx.updateTable('receipts').set({ public_key, backups_gone_by, signature });
      await open.where('event_id', '=', row.event_id).where('signature', 'is', null).execute();
    });
  }

  return {
    /** Returns the path of the page that shows an event's receipt. */
    linkTo: async ({ id, code }: { id: string; code: string }): Promise<string> => `/loeschprotokoll/${code}#${await tokenOf(id)}`,

    /** Throws Refusal receipt_not_found for a wrong token, login_required without a token, receipt_pending if it is not signed yet. */
    async read(ref: string, { token, visitor }: { token: string | undefined; visitor: Pick<Visitor, 'host' | 'admin'> }): Promise<Receipt> {
      for (const { id, row } of await named(ref)) {
        const known = visitor.admin !== null || visitor.host?.eventId === id || (token !== undefined && isProof(await tokenOf(id), token));
        if (!known) continue;
        if (!row || !isComplete(row)) throw new Refusal('receipt_pending');
        return view(row);
      }
      throw new Refusal(token === undefined && visitor.admin === null ? 'login_required' : 'receipt_not_found');
    },

    /** Lists deleted events, the newest first. */
    async list() {
      const rows = await kysely.selectFrom('receipts').selectAll().orderBy('begun_at', 'desc').orderBy('event_id').limit(SHOWN).execute();
      return rows.map((row) => ({ event: row.event_code, begun_at: iso(row.begun_at), receipt: isComplete(row) ? view(row) : null }));
    },

    /** Returns the public keys: first the current one, then those of kept receipts. */
    async publicKeys() {
      const current = signingPublicKey(await seed());
      const rows = await kysely.selectFrom('receipts').select('public_key').distinct().where('public_key', 'is not', null).execute();
      const keys = new Map([current, ...rows.map(({ public_key }) => public_key as Bytes)].map((key) => [signingKeyId(key), key] as const));
      return [...keys].map(([key_id, key]) => ({ key_id, public_key: Buffer.from(key).toString('base64') }));
    },

    /** Runs `wipe` and, unless it throws, notes for all keys deleted before it that no byte of them is left. */
    async wiping(wipe: () => Promise<void>): Promise<void> {
      const deleted = kysely.selectFrom('receipts').select('event_id').where('rows_gone_at', 'is not', null);
      const open = await deleted.where('keys_destroyed_at', 'is', null).limit(AT_ONCE).execute();
      await wipe();
      if (open.length === 0) return;
      const ids = open.map(({ event_id }) => event_id);
      await kysely.updateTable('receipts').set({ keys_destroyed_at: clock.now() }).where('event_id', 'in', ids).execute();
    },

    /** Signs receipts once keys and bytes are gone, and forgets receipts older than 12 months. */
    async signDue(): Promise<void> {
      const due = kysely.selectFrom('receipts').selectAll().where('keys_destroyed_at', 'is not', null).where('signature', 'is', null);
      const rows = await due.where('bytes_gone_at', 'is not', null).limit(AT_ONCE).execute();
      for (const row of rows) await signRow(row as typeof row & { keys_destroyed_at: number });
      await kysely
        .deleteFrom('receipts')
        .where('keys_destroyed_at', '<=', clock.now() - RECORDS_KEPT)
        .execute();
    },
  };
}

type Whole = 'keys_destroyed_at' | 'backups_gone_by' | 'public_key' | 'signature';
/** A row whose receipt is signed. */
type Signed = Pick<ReceiptRow, 'event_code' | 'photos' | 'videos' | 'bytes'> & { [K in Whole]: NonNullable<ReceiptRow[K]> };

function unsigned(row: Omit<Signed, 'signature'>): Omit<Receipt, 'signature'> {
  return {
    event: row.event_code,
    deleted: { photos: row.photos, videos: row.videos, bytes: row.bytes },
    keys_destroyed_at: iso(row.keys_destroyed_at),
    backups_gone_by: iso(row.backups_gone_by),
    key_id: signingKeyId(row.public_key),
  };
}

function view(row: Signed): Receipt {
  return { ...unsigned(row), signature: Buffer.from(row.signature).toString('base64') };
}

function isComplete(row: ReceiptRow): row is ReceiptRow & Signed {
  return row.signature !== null;
}

export function receiptRoutes(http: Http, receipts: Receipts): void {
  http.bind('GET /api/events/:ref/receipt', ({ params, query, visitor }) => receipts.read(params.ref, { token: query.token, visitor }));
  http.bind('GET /api/receipt-keys', async () => ({ keys: await receipts.publicKeys() }));
  http.bind('GET /admin/receipts', async () => ({ receipts: await receipts.list() }));
}
