import type { ProgramAccess } from '@feierbild/contract/calls/connections.ts';
import type { Http } from '../../http/bind.ts';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Events } from '../events/events.ts';
import type { Asked, Grants } from '../grants/grants.ts';
import { PROGRAM_PREFIX, type Sessions } from '../sessions/sessions.ts';
import { iso } from '../../lib/clock.ts';

interface Deps {
  events: Pick<Events, 'forHost'>;
  sessions: Pick<Sessions, 'start' | 'ofProgram'>;
  grants: Pick<Grants, 'replace'>;
}

/** Gives one program access to all photos of the event: a session with the event's key, for the calls that say `photos:read`. */
export function programAccessRoutes(http: Http, { events, sessions, grants }: Deps): void {
  async function asked({ params, visitor }: { params: { ref: string }; visitor: Visitor & { host: HostVisitor } }): Promise<Asked> {
    return { event: await events.forHost(visitor.host, params.ref), host: visitor.host, address: visitor.address };
  }

  http.bind('GET /api/events/:ref/program', async (incoming): Promise<ProgramAccess> => {
    const { event } = await asked(incoming);
    const row = await sessions.ofProgram(event.id);
    if (!row) return { since: null, last_used_at: null };
    const { created_at, last_used_at } = row;
    return { since: iso(created_at), last_used_at: last_used_at === created_at ? null : iso(last_used_at) };
  });

  http.bind('POST /api/events/:ref/program', async (incoming) => {
    const by = await asked(incoming);
    if (by.event.demo === 1) throw new Refusal('demo_fixed');
    const privateKey = by.host.openEventKey();
    let token = '';
    await grants.replace('program', by, 'program.created', async (trx) => {
      const keys = trx.selectFrom('event_keys').select('public_key as publicKey').where('event_id', '=', by.event.id);
      const { publicKey } = await keys.executeTakeFirstOrThrow();
      ({ token } = await sessions.start('program', by.event.id, { publicKey, privateKey }, trx));
    });
    return { token: PROGRAM_PREFIX + token };
  });

  http.bind('DELETE /api/events/:ref/program', async (incoming) => {
    const by = await asked(incoming);
    if (await sessions.ofProgram(by.event.id)) await grants.replace('program', by, 'program.ended');
  });
}
