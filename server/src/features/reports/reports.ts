import { HOUR, MINUTE, RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import type { Behind, Report, ReportForm } from '@feierbild/contract/calls/reports.ts';
import type { Selectable } from 'kysely';
import type { Trx } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import { isBoothToken, isToken, isUuid, uuidv7 } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
import { instantText } from '../../lib/german.ts';
import type { Mail } from '../mail/mail.ts';
import { iso } from '../../lib/clock.ts';

/** Time after which a report is committed or has failed: an hour's mail goes so much later, and so behind all that it tells. */
const WRITTEN_MS = MINUTE;
/** A percent-escape, or a candidate for a token (base64url); a token may follow a `%23`. */
const WORDS = /%(?:25)*[0-9a-f]{2}|[\w-]{22,}/gi;
/**
 * The start of an address: a scheme, a path, or a host's name or number with a path, as `fotos.example/`, `localhost:3000/`,
 * `192.168.1.5/`.
 */
const ADDRESS = /^\W*(https?:\/\/|\/|www\.)|(\.[a-z]{2,}|:\d+|\.\d+|localhost|\])\//i;
/** Length of a link's token and of a booth's token, and the least length of a longer token. */
const TOKENS = [22, 38];
const LONG_TOKEN = 43;

/**
 * Tells whether a word may be a token, perhaps between signs of a mail gateway or of italics: no date or number mixes small and capital
 * letters.
 */
function isTokenLike(word: string): boolean {
  if (!/[a-z]/.test(word) || !/[A-Z]/.test(word)) return false;
  // A token itself may begin and end with such signs.
  const least = word.replaceAll(/^[-_]+|[-_]+$/g, '').length;
  return word.length >= LONG_TOKEN || TOKENS.some((length) => least <= length && length <= word.length);
}

export type Reports = ReturnType<typeof createReports>;

/** „Foto melden“: reports to the operator about photos that should be removed. */
export function createReports({
  db,
  vault,
  clock,
  limits,
  mail,
}: Pick<Context, 'db' | 'vault' | 'clock'> & { limits: RateLimits; mail: Pick<Mail, 'toOperator'> }) {
  const { kysely } = db;

  /** Finds the photo of a download link, while the link has one. */
  async function photoOf(token: string): Promise<string | undefined> {
    const hash = vault.lookupHash(token, 'link');
    return (await kysely.selectFrom('link_keys').select('photo_id').where('token_hash', '=', hash).executeTakeFirst())?.photo_id;
  }

  /**
   * Removes secrets from a text: people paste links that show photos. A download link is replaced by its photo's id. Other addresses lose
   * their query and fragment. Tokens are cut wherever they are.
   */
  async function harmless(text: string): Promise<string> {
    const pieces = await Promise.all(
      text.split(/(\s+)/).map(async (piece) => {
        const isAddress = ADDRESS.test(piece);
        const shown = isAddress ? piece.replace(/(?:[?#]|%23|%3f).*$/is, '…').replace(/\/\/[^/@\s]*@/, '//…@') : piece;
        const found = await Promise.all(
          [...shown.matchAll(WORDS)].map(async ([word]) => [word, isTokenLike(word) ? await named(word) : word] as const),
        );
        return found.reduce((cut, [token, instead]) => cut.replace(token, instead), shown);
      }),
    );
    return pieces.join('');
  }

  async function named(text: string): Promise<string> {
    const photo = isToken(text) || isBoothToken(text) ? await photoOf(text) : undefined;
    return photo === undefined ? '…' : `(Foto ${photo})`;
  }

  /** Writes a mail: at once for the first report of an hour, and one for all later ones when the hour is over. */
  async function tell(trx: Trx, now: number): Promise<void> {
    const hour = Math.floor(now / HOUR);
    // The mail contains nothing that a stranger has written.
    const values = { zeit: instantText(now) };
    if (await mail.toOperator('report', values, { once: `report:${hour}`, trx })) return;
    await mail.toOperator('report', values, { once: `reports:${hour}`, dueAt: (hour + 1) * HOUR + WRITTEN_MS, trx });
  }

  return {
    /** Stores a report and returns when it was received, ISO 8601. Throws Refusal too_many_attempts. */
    add: (form: ReportForm, address: string): Promise<string> =>
      limits.serialized('report', [address], async (attempt) => {
        attempt.failed();
        const now = clock.now();
        const texts = { name: await harmless(form.name), event: await harmless(form.event), photo: await harmless(form.photo) };
        const reason = await harmless(form.reason);
        const report = { id: uuidv7(now), received_at: now, ...form, ...texts, reason, settled_at: null, settled_by: null };
        await db.transaction(async (trx) => {
          await trx.insertInto('reports').values(report).execute();
          await tell(trx, now);
        });
        return iso(now);
      }),

    /** Lists reports behind a place, open ones first, then the newest; counts all open ones. */
    async list({ before, settled }: Behind, limit: number): Promise<{ reports: Report[]; open: number; next: Behind | null }> {
      // Ids follow the time of receipt.
      const newest = (which: 'is' | 'is not', from?: string) =>
        kysely
          .selectFrom('reports')
          .selectAll()
          .where('settled_at', which, null)
          .$if(from !== undefined, (query) => query.where('id', '<', from as string))
          .orderBy('id', 'desc')
          .limit(limit + 1)
          .execute();
      const open = kysely
        .selectFrom('reports')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('settled_at', 'is', null);
      const { count } = await open.executeTakeFirstOrThrow();
      const found = settled ? [] : await newest('is', before);
      if (found.length <= limit) found.push(...(await newest('is not', settled && before)));
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      const next = last ? { before: last.id, ...(last.settled_at !== null && { settled: '1' as const }) } : null;
      return { reports: shown.map(reportAnswer), open: Number(count), next };
    },

    /** Throws Refusal report_not_found. */
    async settle(id: string, settled: boolean, admin: string): Promise<Report> {
      const by = settled ? { settled_at: clock.now(), settled_by: admin } : { settled_at: null, settled_by: null };
      const row = isUuid(id) && (await kysely.updateTable('reports').set(by).where('id', '=', id).returningAll().executeTakeFirst());
      if (!row) throw new Refusal('report_not_found');
      return reportAnswer(row);
    },

    /** Removes reports older than 12 months. */
    async forget(): Promise<void> {
      const until = clock.now() - RECORDS_KEPT;
      await kysely.deleteFrom('reports').where('received_at', '<=', until).execute();
    },
  };
}

/** Serves reports: anybody may send them, administrators read and settle them. */
export function reportRoutes(http: Http, reports: Reports): void {
  http.bind('POST /api/reports', async ({ body, visitor }) => ({ received_at: await reports.add(body, visitor.address) }));
  http.bind('GET /admin/reports', ({ query: { per_page: limit, ...behind } }) => reports.list(behind, limit));
  http.bind('PUT /admin/reports/:id', ({ params, body, visitor }) => reports.settle(params.id, body.settled, visitor.admin.username));
}

function reportAnswer({ received_at, settled_at, ...report }: Selectable<Database['reports']>): Report {
  return {
    ...report,
    received_at: iso(received_at),
    settled_at: iso(settled_at),
  };
}
