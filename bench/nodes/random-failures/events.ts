import { setTimeout as pause } from 'node:timers/promises';
import { dayFromToday, LONG_OVER } from '../../../e2e/support/api.ts';
import type { Random } from '../../support/random.ts';
import { jsonOf } from './ask.ts';
import { createDelivery, type Party } from './deliver.ts';
import { drawBytes } from './guests.ts';
import { cookieOf, askUntilAnswered, withJson, type ClientContext } from './clients.ts';

export interface HostedEvent extends Party {
  password: string;
}

const PHOTOS = 6;

export interface Events {
  create(form?: Record<string, unknown>): Promise<HostedEvent>;
  login(event: HostedEvent): Promise<string>;
  /** Creates events, sends photos to them, and ends them, until the load ends. */
  comeAndGo(random: Random): Promise<void>;
  /** Ids of events that were purged, or ended so long ago that the next run of retention must purge them. */
  ended: Set<string>;
}

/** `cookie` is the administrator's. */
export function createEvents(context: ClientContext, cookie: string, newDevice: () => Promise<string>): Events {
  const { ask, ledger, working, base } = context;
  const ended = new Set<string>();
  const today = dayFromToday(0);

  async function create(form: Record<string, unknown> = {}): Promise<HostedEvent> {
    const body = { title: 'Fest', start_date: today, end_date: today, ...form };
    const path = '/admin/create_event';
    const made = jsonOf<{ id: string; code: string }>(
      await askUntilAnswered(ask, { kind: 'POST create_event', method: 'POST', path, ...withJson(body, { cookie }) }),
    );
    const user = `/admin/events/${made.id}/user`;
    const host = await askUntilAnswered(ask, {
      kind: 'POST user',
      method: 'POST',
      path: user,
      ...withJson({ username: made.code }, { cookie }),
      accepted: ['host_exists'],
    });
    const event = { ...made, ended: false, limited: false };
    if (host.ok) return { ...event, password: jsonOf<{ password: string }>(host).password };
    // The first answer, with the password, was lost.
    const again = await askUntilAnswered(ask, {
      kind: 'PUT user/password',
      method: 'PUT',
      path: `${user}/password`,
      ...withJson({}, { cookie }),
    });
    return { ...event, password: jsonOf<{ new_password: string }>(again).new_password };
  }

  async function login({ code, password }: HostedEvent): Promise<string> {
    const body = { username: code, password };
    return cookieOf(await askUntilAnswered(ask, { kind: 'login', method: 'POST', path: '/auth/user/login', ...withJson(body) }));
  }

  async function end(event: HostedEvent, random: Random): Promise<void> {
    event.ended = true;
    ended.add(event.id);
    const path = `/admin/events/${event.id}`;
    if (random.chance(0.6)) {
      const purge = { kind: 'DELETE event', method: 'DELETE', path, headers: { cookie, 'sec-fetch-site': 'same-origin' } };
      let tried = false;
      for (let gone = false; !gone; tried = true) {
        const answer = await ask({ ...purge, ...(tried && { accepted: ['event_not_found'] }) });
        gone = answer.ok || (tried && answer.status === 404);
        if (!gone) await pause(500);
      }
    } else {
      const form = { title: 'Fest', ...LONG_OVER, confirm_purge: true };
      await askUntilAnswered(ask, { kind: 'PUT event', method: 'PUT', path, ...withJson(form, { cookie }), accepted: ['event_purged'] });
    }
  }

  async function one(random: Random): Promise<void> {
    const event = await create({ with_videos: random.chance(0.5) });
    const { deliver } = createDelivery({ ...context, random });
    const device = await newDevice();
    const send = async (): Promise<void> => {
      const bytes = drawBytes(base, random);
      await deliver({ device, party: event }, ledger.offer(event.id, bytes), bytes, random.pick(['form', 'tus', 'plain', 'preview']));
    };
    for (let n = random.between(1, PHOTOS); n > 0; n--) await send();
    const host = await login(event);
    const headers = { cookie: host, 'sec-fetch-site': 'same-origin' };
    await ask({
      kind: 'POST create-zip',
      method: 'POST',
      path: `/api/events/${event.code}/create-zip`,
      headers,
      accepted: ['archive_running'],
    });
    // Some photos are on their way when the event ends.
    const late = [send(), send()];
    await pause(random.between(0, 500));
    await end(event, random);
    await Promise.all(late);
    ledger.forget(event.id);
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
