import { randomBytes } from 'node:crypto';
import type { ListedWebhook, Webhook, WebhookChange, WebhookForm } from '@feierbild/contract/calls/connections.ts';
import { MINUTE, WEBHOOKS_MAX, type WebhookTopic } from '@feierbild/contract/constants.ts';
import { Webhook as Signer } from 'standardwebhooks';
import type { ClockGuard } from '../../database/clock-guard.ts';
import { countAlone } from '../../database/count-alone.ts';
import { withLease } from '../../database/leases.ts';
import type { Trx } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import type { AdminVisitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { every, type Loop } from '../../lib/every.ts';
import { isUuid, uuidv7 } from '../../lib/ids.ts';
import { hasNews } from '../../lib/opened-form.ts';
import { VERSION } from '../../lib/software.ts';
import type { Audit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { Keep } from '../idempotency/idempotency.ts';
import type { Entry, Outbox, Outcome } from '../outbox/outbox.ts';
import { happeningsSince } from './happenings.ts';
import { notBefore } from './retry-after.ts';
import { troubleOf, type Targets } from './target.ts';
import { iso } from '../../lib/clock.ts';

/** Time between two looks for news, by one of the nodes. */
const LOOK_MS = MINUTE;
/** Overlap of two looks: rows may have been committed late, or by a node whose clock is behind. */
const OVERLAP_MS = 15 * MINUTE;
const SECRET_BYTES = 32;
/** Status with which a receiver unsubscribes (Standard Webhooks). */
const GONE = 410;

type Row = Database['webhooks'];

const laneOf = (id: string): string => `webhook ${id}`;

interface Deps extends Pick<Context, 'db' | 'clock' | 'log' | 'ending'> {
  outbox: Outbox;
  audit: Audit;
  targets: Targets;
  clockGuard: Pick<ClockGuard, 'check'>;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Tells other servers what happens here, in messages signed by Standard Webhooks (https://www.standardwebhooks.com). */
export function createWebhooks({ db, clock, log, ending, outbox, audit, targets, clockGuard }: Deps) {
  const { kysely } = db;
  const holder = uuidv7(clock.now());
  let loop: Loop | undefined;

  const find = async (id: string): Promise<Row | undefined> =>
    isUuid(id) ? kysely.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst() : undefined;

  async function mustExist(id: string): Promise<Row> {
    const row = await find(id);
    if (!row) throw new Refusal('webhook_not_found');
    return row;
  }

  async function send({ url, secret }: Row, id: string, body: object, signal: AbortSignal): Promise<Outcome & { status?: number }> {
    const text = JSON.stringify(body);
    const at = new Date(clock.now());
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Feierbild/${VERSION}`,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Signer(secret).sign(id, at, text),
    };
    try {
      const answered = await targets.post(url, headers, text, signal);
      const { status } = answered;
      const answer = `${status} ${answered.text}`.trim();
      if (status >= 200 && status < 300) return { what: 'delivered', answer, status };
      return { what: 'failed', answer, status, notBefore: notBefore(answered, clock.now()) };
    } catch (error) {
      return { what: 'failed', answer: troubleOf(error) };
    }
  }

  /** Delivers an entry of the outbox. A delivered entry stays, so that it can be sent again. */
  async function deliver({ id, payload }: Entry, signal: AbortSignal): Promise<Outcome> {
    const { webhook, body } = payload as { webhook: string; body: object };
    const row = await find(webhook);
    if (!row || row.active === 0) return { what: 'dropped', answer: 'Der Webhook ist gelöscht oder ausgeschaltet.' };
    const { status, ...outcome } = await send(row, id, body, signal);
    if (status === GONE) {
      // The answer counts only for the address that gave it: that may have been replaced meanwhile.
      const stopping = kysely.updateTable('webhooks').set({ active: 0 }).where('id', '=', row.id).where('url', '=', row.url);
      if ((await stopping.executeTakeFirst()).numUpdatedRows > 0n)
        return { what: 'refused', answer: 'answer' in outcome ? outcome.answer : '' };
    }
    return outcome.what === 'delivered' ? { ...outcome, keep: true } : outcome;
  }
  outbox.handle('webhook', deliver);

  /** Dismisses the failures of deleted webhooks, which nobody could settle; an attempt may fail after the deletion. */
  async function settleOrphans(trx: Trx): Promise<void> {
    const rows = await trx.selectFrom('webhooks').select('id').execute();
    const lanes = rows.map(({ id }) => laneOf(id));
    await outbox.dismissOthers(trx, 'webhook', lanes);
  }

  /** Writes an entry for each new occurrence and webhook; an occurrence has one entry for each webhook. */
  async function look(signal: AbortSignal): Promise<void> {
    await db.transaction(settleOrphans);
    const rows = await kysely.selectFrom('webhooks').selectAll().where('active', '=', 1).execute();
    // A clock that leapt ahead would report running events as ended, and then report nothing until that time has come.
    if (rows.length === 0 || !(await clockGuard.check())) return;
    const now = clock.now();
    const happenings = await happeningsSince(db, Math.min(...rows.map(({ told_until }) => told_until)) - OVERLAP_MS, now);
    for (const { id, topics, told_until, created_at } of rows) {
      signal.throwIfAborted();
      const wanted = new Set(topics.split(' '));
      const from = Math.max(told_until - OVERLAP_MS, created_at - 1);
      await db.transaction(async (trx) => {
        for (const { topic, at, subject, data } of happenings) {
          if (at <= from || !wanted.has(topic)) continue;
          const body = { type: topic, timestamp: iso(at), data };
          await outbox.add(trx, {
            kind: 'webhook',
            topic,
            lane: laneOf(id),
            once: `${id} ${topic} ${subject}`,
            payload: { webhook: id, body },
          });
        }
        await trx.updateTable('webhooks').set({ told_until: now }).where('id', '=', id).execute();
      });
    }
  }

  /** Looks once, unless another node does, or did a moment ago. */
  const run = (every = 0): Promise<unknown> => withLease(db, { name: 'webhooks', holder, duration: LOOK_MS, every, ending }, look);

  async function checked({ name, url, topics }: WebhookForm): Promise<Pick<Row, 'name' | 'url' | 'topics'>> {
    const mistake = await targets.mistakeIn(url);
    if (mistake) throw new Refusal('invalid_input', { fields: { url: mistake } });
    return { name, url, topics: [...new Set(topics)].join(' ') };
  }

  return {
    async list(): Promise<ListedWebhook[]> {
      const [rows, failed] = await Promise.all([kysely.selectFrom('webhooks').selectAll().orderBy('id').execute(), outbox.failedByLane()]);
      return rows.map((row) => ({ ...webhookAnswer(row), failed: failed.get(laneOf(row.id)) ?? 0 }));
    },

    /** Creates a webhook; its secret is stored in its row alone. */
    async create(by: AdminVisitor, form: WebhookForm, address: string, keep: Keep): Promise<{ id: string }> {
      const values = await checked(form);
      const now = clock.now();
      const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
      const row: Row = { id: uuidv7(now), ...values, secret, active: form.active ? 1 : 0, created_at: now, told_until: now };
      await db.transaction(async (trx) => {
        if ((await countAlone(trx, 'webhooks')) >= WEBHOOKS_MAX) throw new Refusal('too_many_webhooks');
        await trx.insertInto('webhooks').values(row).execute();
        await audit.record({ actor: `admin:${by.username}`, action: 'webhook.created', address }, trx);
        await keep(trx, { id: row.id });
      });
      return { id: row.id };
    },

    /** Returns a webhook with its secret, as its creation answers. Throws Refusal webhook_not_found if it was removed meanwhile. */
    async withSecret(id: string): Promise<{ secret: string; webhook: Webhook }> {
      const row = await mustExist(id);
      return { secret: row.secret, webhook: webhookAnswer(row) };
    },

    /**
     * Changes a webhook. Occurrences while it was switched off are never told. Throws Refusal settings_changed if the page was
     * opened before another change.
     */
    async change(by: AdminVisitor, id: string, { was, ...form }: WebhookChange, address: string): Promise<Webhook> {
      await mustExist(id);
      const wish = { ...(await checked(form)), active: form.active ? 1 : 0 };
      const opened = was && { ...was, topics: was.topics.join(' '), active: was.active ? 1 : 0 };
      return db.transaction(async (trx) => {
        const before = await trx.selectFrom('webhooks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
        if (!before) throw new Refusal('webhook_not_found');
        const { name, url, topics, active, ...rest } = before;
        if (!hasNews({ was: opened, wish, now: { name, url, topics, active } }, 'settings_changed')) return webhookAnswer(before);
        const now = clock.now();
        const values = { ...rest, ...wish, ...(active === 0 && { told_until: now, created_at: now }) };
        await trx.updateTable('webhooks').set(values).where('id', '=', id).execute();
        await audit.record({ actor: `admin:${by.username}`, action: 'webhook.changed', address }, trx);
        return webhookAnswer(values);
      });
    },

    async remove(by: AdminVisitor, id: string, address: string): Promise<void> {
      await mustExist(id);
      await db.transaction(async (trx) => {
        await trx.deleteFrom('webhooks').where('id', '=', id).execute();
        await settleOrphans(trx);
        await audit.record({ actor: `admin:${by.username}`, action: 'webhook.removed', address }, trx);
      });
    },

    /** Sends one test message now and returns its result. */
    async test(id: string): Promise<{ delivered: boolean; answer: string }> {
      const row = await mustExist(id);
      const now = clock.now();
      const body = { type: 'webhook.test', timestamp: iso(now), data: { name: row.name } };
      const outcome = await send(row, uuidv7(now), body, ending);
      return { delivered: outcome.what === 'delivered', answer: 'answer' in outcome ? outcome.answer : '' };
    },

    run,
    /** Looks every minute until the process ends. */
    start(): void {
      loop = every(LOOK_MS, { log, ending, failed: 'webhooks were not looked for' }, async () => void (await run(LOOK_MS / 2)));
    },
    ended: async (): Promise<void> => loop?.ended(),
  };
}

function webhookAnswer({ id, name, url, topics, active, created_at }: Row): Webhook {
  return {
    id,
    name,
    url,
    topics: topics.split(' ') as WebhookTopic[],
    active: active === 1,
    created_at: iso(created_at),
  };
}
