import type { Look } from '@feierbild/contract/theme.ts';
import type { Http } from '../../http/bind.ts';
import { readFormFile } from '../../http/form.ts';
import type { HostVisitor, Visitor } from '../../http/visitor.ts';
import type { Rendition } from '../../images/decoder.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { hasNews } from '../../lib/opened-form.ts';
import { collect } from '../../lib/stages.ts';
import { lookOf, type Events } from '../events/events.ts';
import { SOURCE_BYTES, type Pictures } from '../pictures/pictures.ts';
import type { LinkPreviews } from './link-previews.ts';
import { renditionOf, type FoundPhoto, type Photos } from '../photos/photos.ts';

interface Deps {
  events: Pick<Events, 'forHost' | 'change'>;
  pictures: Pictures;
  linkPreviews: Pick<LinkPreviews, 'answer'>;
  photos: Pick<Photos, 'find' | 'byId' | 'withPreview' | 'read' | 'explained'>;
}

interface Asked {
  params: { ref: string };
  visitor: Visitor & { host: HostVisitor };
}

/** Calls with which a host chooses how the event looks to its guests. */
export function themeRoutes(http: Http, { events, pictures, photos, linkPreviews }: Deps): void {
  /** Finds the host's own event. Throws Refusal demo_fixed, event_purged. */
  async function mine({ params, visitor }: Asked) {
    const event = await events.forHost(visitor.host, params.ref);
    if (event.demo === 1) throw new Refusal('demo_fixed');
    if (event.purging_at !== null) throw new Refusal('event_purged');
    return event;
  }
  type Mine = Awaited<ReturnType<typeof mine>>;

  async function setTitle(event: Mine, made: Rendition | null, photoId: string | null = null): Promise<Look> {
    let title_picture: string | null = null;
    await events.change(event, {}, async (trx) => void (title_picture = await pictures.setTitle(trx, event.id, made, photoId)));
    return lookOf({ ...event, title_picture });
  }

  http.bind('PUT /api/events/:ref/look', async (asked) => {
    const event = await mine(asked);
    const { was, ...chosen } = asked.body;
    const now = lookOf(event);
    const { palette, welcome } = now;
    if (!hasNews({ was, wish: chosen, now: { palette, welcome } })) return now;
    await events.change(event, chosen, async () => undefined);
    return lookOf({ ...event, ...chosen });
  });

  http.bind('PUT /api/events/:ref/link-preview', async (asked) => {
    const { value } = asked.body;
    await events.change(await mine(asked), { link_preview: value }, async () => undefined);
    return { value };
  });
  http.bind('PUT /api/events/:ref/phone-language', async (asked) => {
    const { value } = asked.body;
    await events.change(await mine(asked), { phone_language: Number(value) }, async () => undefined);
    return { value };
  });
  http.bind('GET /api/link-previews/:id', ({ params }) => linkPreviews.answer(params.id));

  http.bind('PUT /api/events/:ref/title-picture', async (asked) => {
    const event = await mine(asked);
    const found = await photos.find(asked.visitor, asked.body.photo);
    if (found.row.event_id !== event.id) throw new Refusal('photo_not_found');
    const made = await pictures.make('title', event.id, () => seen(found));
    return setTitle(event, made, found.row.id).catch(async (error: unknown) => {
      // The photo may have been deleted meanwhile.
      throw (await photos.byId(found.row.id)) ? error : new Refusal('photo_not_found');
    });
  });

  /** Reads the picture of a photo as it is seen whole; for a video its still. */
  async function seen(found: FoundPhoto): Promise<Bytes> {
    const shown = await photos.withPreview(found);
    const [{ row }, variant] = shown ? [shown, 'preview' as const] : [found, 'thumbnail' as const];
    const { size } = renditionOf(row, variant) ?? { size: 0 };
    return collect(photos.read(shown ?? found, variant, { start: 0, end: size })).catch(async (error: unknown) => {
      throw await photos.explained(row.id, error);
    });
  }

  http.bind('POST /api/events/:ref/title-picture', async (asked) => {
    const event = await mine(asked);
    return setTitle(event, await pictures.make('title', event.id, () => readFormFile(asked.request, SOURCE_BYTES)));
  });

  http.bind('DELETE /api/events/:ref/title-picture', async (asked) => setTitle(await mine(asked), null));
}
