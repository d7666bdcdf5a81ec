import { RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import type { Report, ReportForm } from '@feierbild/contract/calls/reports.ts';
import { sql, type Selectable } from 'kysely';
import type { Database } from '../../database/schema.ts';
import type { Http } from '../../http/bind.ts';
import { Refusal } from '../../lib/errors.ts';
import { isBoothToken, isToken, isUuid, uuidv7 } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
import { instantText } from '../../lib/german.ts';
import type { Mail } from '../mail/mail.ts';
import { iso } from '../../lib/clock.ts';

/** Most reports in the administrators' list; open ones come first. */
const SHOWN = 500;
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
          // The mail contains nothing that a stranger has written.
          await mail.toOperator('report', { zeit: instantText(now) }, { trx });
        });
        return iso(now);
      }),

    /** Lists the reports, open ones first, then the newest. */
    async list(): Promise<Report[]> {
      const rows = kysely
        .selectFrom('reports')
        .selectAll()
        .orderBy(sql`case when settled_at is null then 0 else 1 end`)
        .orderBy('received_at', 'desc')
        .orderBy('id', 'desc')
        .limit(SHOWN);
      return (await rows.execute()).map(reportAnswer);
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
  http.bind('GET /admin/reports', async () => ({ reports: await reports.list() }));
  http.bind('PUT /admin/reports/:id', ({ params, body, visitor }) => reports.settle(params.id, body.settled, visitor.admin.username));
}

function reportAnswer({ received_at, settled_at, ...report }: Selectable<Database['reports']>): Report {
  return {
    ...report,
    received_at: iso(received_at),
    settled_at: iso(settled_at),
  };
}
