import { randomBytes } from 'node:crypto';
import type { ApiToken } from '@feierbild/contract/calls/connections.ts';
import { MINUTE, TOKENS_MAX, type CallScope, type TokenScope } from '@feierbild/contract/constants.ts';
import { countAlone } from '../../database/count-alone.ts';
import type { Database } from '../../database/schema.ts';
import type { Http } from '../../http/bind.ts';
import type { AdminVisitor, TokenVisitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { isToken, isUuid, uuidv7 } from '../../lib/ids.ts';
import type { Audit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { Idempotency, Keep } from '../idempotency/idempotency.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
import { iso } from '../../lib/clock.ts';

/** Prefix by which people and secret scanners recognise tokens that went astray. */
const PREFIX = 'fbt_';
const SALT_BYTES = 32;
/** The last use is written at most once in this time. */
const TOUCH_MS = MINUTE;

/** A new token as it is stored for a repeated request: only the administrator's key makes the token from the salt. */
interface KeptToken {
  salt: string;
  entry: ApiToken;
}

export type Tokens = ReturnType<typeof createTokens>;

/**
 * Tokens of programs that act for the operator. A token has 256 random bits and is stored nowhere; the database has its hash, which opens
 * nothing.
 */
export function createTokens({
  db,
  vault,
  clock,
  audit,
  limits,
}: Pick<Context, 'db' | 'vault' | 'clock'> & { audit: Audit; limits: RateLimits }) {
  const { kysely } = db;

  /** Finds the row of a token and notes its use; undefined if there is none. */
  async function find(text: string): Promise<Database['api_tokens'] | undefined> {
    if (!text.startsWith(PREFIX) || !isToken(text.slice(PREFIX.length))) return undefined;
    const hash = vault.lookupHash(text, 'api-token');
    const row = await kysely.selectFrom('api_tokens').selectAll().where('token_hash', '=', hash).executeTakeFirst();
    if (!row) return undefined;
    const now = clock.now();
    // Also where a clock was ahead.
    if (Math.abs(now - (row.last_used_at ?? 0)) >= TOUCH_MS)
      await kysely.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', row.id).execute();
    return row;
  }

  /** Reads all tokens, the newest first. */
  const rows = () => kysely.selectFrom('api_tokens').selectAll().orderBy('id', 'desc').execute();

  function tokenOf(by: AdminVisitor, salt: string): string {
    const secret = Buffer.from(by.openAdminKey()).toString('base64url');
    return PREFIX + Buffer.from(vault.keyedHash(secret, 'api-token', Buffer.from(salt))).toString('base64url');
  }

  return {
    /**
     * Returns the program of a token. Wrong tokens are counted for the address, as wrong passwords are; a right one is never limited:
     * nobody can guess it, and another program at the same address may have a revoked token. Throws Refusal token_invalid, token_scope,
     * too_many_attempts.
     */
    async authenticate(text: string, scope: CallScope, address: string): Promise<TokenVisitor> {
      const row = await find(text);
      if (!row) {
        return limits.serialized('login', [address, 'token'], async (attempt) => {
          if (attempt.failed()) await audit.record({ actor: 'unknown', action: 'login.limited', address });
          throw new Refusal('token_invalid');
        });
      }
      const scopes = scopesOf(row);
      if (!scopes.some((its) => its === scope)) throw new Refusal('token_scope');
      return { tokenId: row.id, name: row.name, scopes, secret: text };
    },

    list: async (): Promise<ApiToken[]> => (await rows()).map(tokenAnswer),

    /** Creates a token. It is not stored: `open` makes it again from the stored salt. */
    async create(
      by: AdminVisitor,
      { name, scopes }: { name: string; scopes: TokenScope[] },
      address: string,
      keep: Keep,
    ): Promise<KeptToken> {
      const now = clock.now();
      const salt = randomBytes(SALT_BYTES).toString('base64url');
      const row = {
        id: uuidv7(now),
        name,
        scopes: [...new Set(scopes)].join(' '),
        token_hash: vault.lookupHash(tokenOf(by, salt), 'api-token'),
        created_at: now,
        created_by: by.username,
        last_used_at: null,
      };
      const kept = { salt, entry: tokenAnswer(row) };
      await db.transaction(async (trx) => {
        if ((await countAlone(trx, 'api_tokens')) >= TOKENS_MAX) throw new Refusal('too_many_tokens');
        await trx.insertInto('api_tokens').values(row).execute();
        await audit.record({ actor: `admin:${by.username}`, action: 'token.created', address }, trx);
        await keep(trx, kept);
      });
      return kept;
    },

    /** Throws Refusal token_not_found if it was revoked meanwhile. */
    async open(by: AdminVisitor, { salt, entry }: KeptToken): Promise<{ token: string; entry: ApiToken }> {
      if (!(await rows()).some(({ id }) => id === entry.id)) throw new Refusal('token_not_found');
      return { token: tokenOf(by, salt), entry };
    },

    /** Throws Refusal token_not_found. */
    async revoke(by: AdminVisitor, id: string, address: string): Promise<void> {
      if (!isUuid(id)) throw new Refusal('token_not_found');
      await db.transaction(async (trx) => {
        const { numDeletedRows } = await trx.deleteFrom('api_tokens').where('id', '=', id).executeTakeFirst();
        if (numDeletedRows === 0n) throw new Refusal('token_not_found');
        await audit.record({ actor: `admin:${by.username}`, action: 'token.revoked', address }, trx);
      });
    },
  };
}

/** Administrators' calls for tokens. */
export function tokenRoutes(http: Http, tokens: Tokens, idempotency: Idempotency): void {
  http.bind('GET /admin/tokens', async () => ({ tokens: await tokens.list() }));
  http.bind('POST /admin/tokens', async ({ headers, body, visitor }) => {
    const by = visitor.admin;
    // The different body keeps the key apart from the same key in another call.
    const asked = { by, key: headers['idempotency-key'], body: { token: body } };
    const kept = await idempotency.once<KeptToken>(
      asked,
      (keep) => tokens.create(by, body, visitor.address, keep),
      (first) => first,
    );
    return tokens.open(by, kept);
  });
  http.bind('DELETE /admin/tokens/:id', ({ params, visitor }) => tokens.revoke(visitor.admin, params.id, visitor.address));
}

const scopesOf = ({ scopes }: Pick<Database['api_tokens'], 'scopes'>): TokenScope[] => scopes.split(' ') as TokenScope[];

function tokenAnswer(row: Database['api_tokens']): ApiToken {
  const { id, name, created_by, created_at, last_used_at } = row;
  return { id, name, scopes: scopesOf(row), created_at: iso(created_at), created_by, last_used_at: iso(last_used_at) };
}
