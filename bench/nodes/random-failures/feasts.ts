import { setTimeout as pause } from 'node:timers/promises';
import { dayFromToday, LONG_OVER } from '../../../e2e/support/api.ts';
import type { Random } from '../../support/random.ts';
import { jsonOf } from './ask.ts';
import { createDelivery, type Party } from './deliver.ts';
import { drawBytes } from './guests.ts';
import { cookieOf, insist, withJson, type Stage } from './stage.ts';

export interface Feast extends Party {
  password: string;
}

const PHOTOS = 6;

export interface Feasts {
  create(form?: Record<string, unknown>): Promise<Feast>;
  login(feast: Feast): Promise<string>;
  /** Opens feasts, has photos sent to them, and ends them, until the load ends. */
  comeAndGo(random: Random): Promise<void>;
  /** Those that were purged, or ended so long ago that the next run of retention has to purge them. */
  ended: Set<string>;
}

/** `cookie`: the administrator's. */
export function createFeasts(stage: Stage, cookie: string, newDevice: () => Promise<string>): Feasts {
  const { ask, ledger, working, base } = stage;
  const ended = new Set<string>();
  const today = dayFromToday(0);

  async function create(form: Record<string, unknown> = {}): Promise<Feast> {
    const body = { title: 'Fest', start_date: today, end_date: today, ...form };
    const path = '/admin/create_event';
    const made = jsonOf<{ id: string; code: string }>(
      await insist(ask, { kind: 'POST create_event', method: 'POST', path, ...withJson(body, { cookie }) }),
    );
    const user = `/admin/events/${made.id}/user`;
    const host = await insist(ask, {
      kind: 'POST user',
      method: 'POST',
      path: user,
      ...withJson({ username: made.code }, { cookie }),
      right: ['host_exists'],
    });
    const feast = { ...made, over: false, limited: false };
    if (host.ok) return { ...feast, password: jsonOf<{ password: string }>(host).password };
    // The answer with the password was lost.
    const again = await insist(ask, { kind: 'PUT user/password', method: 'PUT', path: `${user}/password`, ...withJson({}, { cookie }) });
    return { ...feast, password: jsonOf<{ new_password: string }>(again).new_password };
  }

  async function login({ code, password }: Feast): Promise<string> {
    const body = { username: code, password };
    return cookieOf(await insist(ask, { kind: 'login', method: 'POST', path: '/auth/user/login', ...withJson(body) }));
  }

  async function end(feast: Feast, random: Random): Promise<void> {
    feast.over = true;
    ended.add(feast.id);
    const path = `/admin/events/${feast.id}`;
    if (random.chance(0.6)) {
      const purge = { kind: 'DELETE event', method: 'DELETE', path, headers: { cookie, 'sec-fetch-site': 'same-origin' } };
      let tried = false;
      for (let gone = false; !gone; tried = true) {
        const answer = await ask({ ...purge, ...(tried && { right: ['event_not_found'] }) });
        gone = answer.ok || (tried && answer.status === 404);
        if (!gone) await pause(500);
      }
    } else {
      const form = { title: 'Fest', ...LONG_OVER, confirm_purge: true };
      await insist(ask, { kind: 'PUT event', method: 'PUT', path, ...withJson(form, { cookie }), right: ['event_purged'] });
    }
  }

  async function one(random: Random): Promise<void> {
    const feast = await create({ with_videos: random.chance(0.5) });
    const { deliver } = createDelivery({ ...stage, random });
    const device = await newDevice();
    const send = async (): Promise<void> => {
      const bytes = drawBytes(base, random);
      await deliver({ device, party: feast }, ledger.offer(feast.id, bytes), bytes, random.pick(['form', 'tus', 'plain']));
    };
    for (let n = random.between(1, PHOTOS); n > 0; n--) await send();
    const host = await login(feast);
    const headers = { cookie: host, 'sec-fetch-site': 'same-origin' };
    await ask({
      kind: 'POST create-zip',
      method: 'POST',
      path: `/api/events/${feast.code}/create-zip`,
      headers,
      right: ['archive_running'],
    });
    // Some are on their way when it ends.
    const late = [send(), send()];
    await pause(random.between(0, 500));
    await end(feast, random);
    await Promise.all(late);
    ledger.forget(feast.id);
  }

  return {
    create,
    login,
    ended,
    async comeAndGo(random) {
      while (working()) {
        await one(random);
        await pause(random.between(500, 4000));
      }
    },
  };
}
