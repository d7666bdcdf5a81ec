import { PHOTOS_PER_PAGE } from '@feierbild/contract/constants.ts';
import type { GalleryChanges, GalleryPage } from '@feierbild/contract/entities.ts';
import { call, isRefusal } from '../../api/client.ts';
import type { ListChanges, ListPage, ListReader } from '../../lib/photo-list.ts';
import { recall } from '../../lib/storage.ts';
import { within } from '../../lib/time-limit.ts';
import { takeFirstPhotos } from './opening.ts';

/** Limit of the answer that was requested before this code came, after which it is requested anew. */
const OPENING_MS = 10_000;
const FIRST = { after: 0, per_page: PHOTOS_PER_PAGE };

/** Reads the gallery as all guests see it, even for the host. The device's id marks its own photos and hearts. */
async function ask(code: string, query: { after?: number; per_page?: number; seq?: number }) {
  return call('GET /api/events/:ref/photos', { params: { ref: code }, query: { ...query, view: 'gallery' }, headers: ownDevice() });
}

/** Returns the header with the known device id, for a browser that lost its cookie. Makes no new id. */
function ownDevice(): Record<string, string> {
  const id = recall('device_id');
  return id === null ? {} : { 'device-id': id };
}

/** Asks whether the gallery is open. Throws ApiError; gallery_closed says how many photos wait. */
export async function knock(code: string): Promise<void> {
  await ask(code, { after: 0, per_page: 1 });
}

export type Visit = ReturnType<typeof createVisit>;

/** Creates a visit of the gallery: its entrance, and the list's reader, which waits until the browser is let in. */
export function createVisit(code: string) {
  let first: GalleryPage | null = null;
  let letIn = (): void => undefined;
  const entered = new Promise<void>((resolve) => (letIn = resolve));

  async function readFirst(): Promise<void> {
    first = (await ask(code, FIRST)) as GalleryPage;
    letIn();
  }

  const reader: ListReader<object> = {
    async page(after, limit): Promise<ListPage<object>> {
      await entered;
      const known = after === 0 ? first : null;
      first = null;
      const answer = known ?? ((await ask(code, { after, per_page: limit })) as GalleryPage);
      return { ...answer, next: answer.next ?? after, end: answer.next === null, beside: {} };
    },
    async changes(seq): Promise<ListChanges<object> | null> {
      const answer = (await ask(code, { seq })) as GalleryChanges;
      return answer.gone === null ? null : { ...answer, gone: answer.gone, beside: {} };
    },
  };

  return {
    reader,
    /** Tells whether the request before this code came has let the browser in. */
    async opened(): Promise<boolean> {
      const asked = takeFirstPhotos();
      if (asked) first = (await within(OPENING_MS, asked, null)) as GalleryPage | null;
      if (first !== null) letIn();
      return first !== null;
    },
    /** Enters by the session, or by this browser's own photos. Throws ApiError. */
    async enter(): Promise<void> {
      await readFirst().catch(async (error: unknown) => {
        if (!isRefusal(error, 'login_required')) throw error;
        await call('POST /auth/gallery/login', { body: { code }, headers: ownDevice() });
        await readFirst();
      });
    },
  };
}
