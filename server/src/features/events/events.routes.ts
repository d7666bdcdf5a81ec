import { berlinDay } from '@feierbild/contract/berlin.ts';
import { ACCEPTED_TYPES, CSV_BYTES_MAX, VIDEO_TYPES } from '@feierbild/contract/constants.ts';
import type { AdminEvent, CreatedEvent } from '@feierbild/contract/entities.ts';
import { TABLE_FIELDS, type TableField } from '@feierbild/contract/event-table.ts';
import { templatesIn } from '@feierbild/contract/event-templates.ts';
import type { Http } from '../../http/bind.ts';
import { attachment } from '../../http/byte-answer.ts';
import { readFormFile } from '../../http/form.ts';
import { originOf } from '../../http/request.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import type { Clock } from '../../lib/clock.ts';
import { decodeHeaderText } from '../../lib/header-text.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { SettingsFeature } from '../settings/settings.ts';
import { guestView, settingsView } from './event-views.ts';
import type { Events } from './events.ts';
import type { EventSwitch } from './events.store.ts';
import { changeMany } from './many-events.ts';

interface Deps {
  events: Events;
  idempotency: Idempotency;
  settings: Pick<SettingsFeature, 'get'>;
  clock: Clock;
  config: { maxUploadBytes: number; maxVideoBytes: number; publicUrl: string | null };
}

/** Binds the calls for events of guests, hosts and administrators. */
export function eventRoutes(http: Http, { events, idempotency, settings, config, clock }: Deps): void {
  http.bind('GET /event/:code', async ({ params, headers, visitor }) => {
    const event = await events.guests.find(params.code, visitor.address);
    const password = headers['event-password'];
    // Without the header only the code is checked; the page then shows a form for the password.
    if (password !== undefined && event.with_upload_password === 1) {
      await events.guests.checkPassword(event, decodeHeaderText(password), visitor);
    }
    return guestView(event, clock.now());
  });

  http.bind('GET /event/:code/max', async ({ params, visitor }) => {
    const event = await events.guests.find(params.code, visitor.address);
    const remaining = event.storage_limit === null ? null : Math.max(0, event.storage_limit - event.used_bytes);
    const videos = event.with_videos === 1;
    return {
      event_id: event.id,
      max_file_bytes: config.maxUploadBytes,
      ...(videos && { max_video_bytes: Math.max(config.maxUploadBytes, config.maxVideoBytes) }),
      remaining_bytes: remaining,
      accepted_types: [...ACCEPTED_TYPES, ...(videos ? VIDEO_TYPES : [])],
    };
  });

  http.bind('GET /api/events/:ref/has-password', async ({ params, visitor }) => {
    const event = await events.guests.find(params.ref, visitor.address);
    return { with_upload_password: event.with_upload_password === 1 };
  });

  http.bind('GET /api/events/:ref', async ({ params, visitor }) => {
    await events.forHost(visitor.host, params.ref);
    return events.hostEvent(visitor);
  });

  http.bind('GET /api/events/:ref/settings', async ({ params, visitor }) => {
    return { settings: settingsView(await events.forHost(visitor.host, params.ref)) };
  });

  http.bind('GET /api/events/:ref/stats', async ({ params, visitor }) => {
    return { total_photos: await events.photoCount(await events.forHost(visitor.host, params.ref), visitor) };
  });

  http.bind('POST /api/events/:ref/reset-notice', async ({ params, visitor }) => {
    await events.seeReset((await events.forHost(visitor.host, params.ref)).id);
  });

  type SwitchCall = { params: { ref: string }; body: { value: boolean }; visitor: { host: HostVisitor } };
  const setSwitch =
    (name: EventSwitch) =>
    async ({ params, body, visitor }: SwitchCall) => {
      await events.setSwitch(await events.forHost(visitor.host, params.ref), name, body.value);
      return body;
    };
  http.bind('PUT /api/events/:ref/nsfw_check', setSwitch('with_nsfw_check'));
  http.bind('PUT /api/events/:ref/random_slideshow', setSwitch('with_random_slideshow'));
  http.bind('PUT /api/events/:ref/slideshow_names', setSwitch('with_slideshow_names'));

  http.bind('GET /admin/events', ({ visitor, query }) => events.list(visitor.operator, query));

  http.bind('GET /admin/events.csv', async ({ query, reply }) => {
    const name = `Events ${berlinDay(clock.now())}.csv`;
    const headers = { 'cache-control': 'private, no-store', 'content-disposition': attachment(name) };
    return reply
      .headers(headers)
      .type('text/csv; charset=utf-8')
      .send(await events.table(query));
  });

  const templates = () => templatesIn({ templates: settings.get('templates'), prices: settings.get('prices') });
  http.bind('GET /admin/templates', () => ({ templates: templates() }));

  http.bind('POST /admin/events/read', async ({ request, query: { columns, ...answers } }) => {
    const fields = columns?.split(',').map((name) => (Object.hasOwn(TABLE_FIELDS, name) ? (name as TableField) : null));
    return events.readTable(await readFormFile(request, CSV_BYTES_MAX), templates(), { columns: fields, answers });
  });

  http.bind('POST /admin/create_event', async ({ headers, body, visitor, request }) => {
    const { operator: by, address } = visitor;
    const event = await idempotency.once<AdminEvent & Pick<CreatedEvent, 'invitation'>>(
      { by, key: headers['idempotency-key'], body },
      (keep) => events.create(by, body, address, keep),
      (first) => events.asSent(body, first),
    );
    const origin = originOf(request, config.publicUrl);
    const { code, invitation } = event;
    // Without PUBLIC_URL the link is a path.
    if (invitation?.link) invitation.link = new URL(invitation.link, origin).href;
    const links = { guests: `${origin}/event/${code}`, login: `${origin}/login?username=${code}`, dashboard: `${origin}/manage/${code}` };
    return { ...event, links };
  });

  http.bind('PUT /admin/events/:id', ({ params, body, visitor }) => events.update(visitor.operator, params.id, body, visitor.address));

  http.bind('POST /admin/events/change', async ({ body, visitor }) => {
    return { results: await changeMany(events, visitor.operator, body, visitor.address) };
  });

  http.bind('DELETE /admin/events/:id', ({ params, visitor }) => events.remove(visitor.admin, params.id, visitor.address));

  http.bind('POST /admin/events/:id/user', ({ params, body, visitor }) =>
    events.createHost(visitor.admin, params.id, body.username, visitor.address),
  );

  http.bind('POST /admin/events/:id/invitation', ({ params, body, visitor }) =>
    events.invite(visitor.admin, params.id, body?.was, visitor.address),
  );

  http.bind('PUT /admin/events/:id/user/password', async ({ params, body, visitor }) => {
    return { new_password: await events.resetHost(visitor.admin, params.id, body?.was, visitor.address) };
  });
}
