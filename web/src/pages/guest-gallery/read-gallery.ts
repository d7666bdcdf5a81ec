import type { GalleryChanges, GalleryPage } from '@feierbild/contract/entities.ts';
import { call } from '../../api/client.ts';
import type { ListChanges, ListPage } from '../../lib/photo-list.ts';

/** As all guests see it, also where the host looks. */
export async function ask(code: string, query: { after?: number; per_page?: number; seq?: number }) {
  return call('GET /api/events/:ref/photos', { params: { ref: code }, query: { ...query, view: 'gallery' } });
}

/** Photos for the gallery's list, and what changed in it. */
export async function readPage(code: string, after: number, limit: number): Promise<ListPage<object>> {
  const answer = (await ask(code, { after, per_page: limit })) as GalleryPage;
  return { ...answer, next: answer.next ?? after, end: answer.next === null, facts: {} };
}

export async function readChanges(code: string, seq: number): Promise<ListChanges<object> | null> {
  const answer = (await ask(code, { seq })) as GalleryChanges;
  return answer.gone === null ? null : { ...answer, gone: answer.gone, facts: {} };
}
