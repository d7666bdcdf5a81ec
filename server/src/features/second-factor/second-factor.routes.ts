import type { FastifyRequest } from 'fastify';
import type { Http } from '../../http/bind.ts';
import { originOf } from '../../http/request.ts';
import type { Staff, Visitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Admins } from '../admins/admins.ts';
import { guesserIn } from '../sessions/sessions.ts';
import { accountOf, type Account, type SecondFactor } from './second-factor.ts';

interface Deps {
  admins: Pick<Admins, 'authenticateAccount' | 'resetFactors'>;
  secondFactor: SecondFactor;
  config: { publicUrl: string | null };
}

interface Asked {
  visitor: Visitor & { operator: Staff };
  request: FastifyRequest;
}

/** Calls for the own second factors. Adding or removing a factor needs the password again. */
export function secondFactorRoutes(http: Http, { admins, secondFactor, config }: Deps): void {
  const origin = ({ request }: Asked): string => originOf(request, config.publicUrl);

  async function authenticated({ visitor: { operator, address } }: Asked, password: string): Promise<Account> {
    const account = await admins.authenticateAccount(operator.username, password, guesserIn(operator.sessionId, address));
    if (account?.adminId !== accountOf(operator).adminId)
      throw new Refusal('invalid_input', { fields: { password: 'Das Passwort stimmt nicht.' } });
    return account;
  }

  http.bind('GET /admin/factors', ({ visitor }) => secondFactor.of(accountOf(visitor.operator).adminId));

  http.bind('POST /admin/factors/totp', async (asked) => secondFactor.beginTotp(await authenticated(asked, asked.body.password)));

  http.bind('PUT /admin/factors/totp', async ({ body, visitor: { operator, address } }) => {
    const account = accountOf(operator);
    await secondFactor.confirmTotp(account, body.code, address);
    return secondFactor.of(account.adminId);
  });

  http.bind('POST /admin/factors/passkeys/options', async (asked) =>
    secondFactor.offerPasskey(await authenticated(asked, asked.body.password), origin(asked)),
  );

  http.bind('POST /admin/factors/passkeys', async (asked) => {
    const { operator, address } = asked.visitor;
    const account = accountOf(operator);
    await secondFactor.addPasskey(account, asked.body.name, asked.body.passkey, origin(asked), address);
    return secondFactor.of(account.adminId);
  });

  http.bind('POST /admin/factors/:id/remove', async (asked) => {
    const { visitor, body, params } = asked;
    const account = await authenticated(asked, body.password);
    const prover = { address: visitor.address, factorProof: `session ${visitor.operator.sessionId}`, origin: origin(asked) };
    await secondFactor.pass(account, body.second_factor, prover, (trx) => secondFactor.remove(trx, account, params.id, visitor.address));
    return secondFactor.of(account.adminId);
  });

  http.bind('DELETE /admin/admins/:id/factors', ({ params, visitor: { admin, address } }) =>
    admins.resetFactors(admin, params.id, address),
  );
}
