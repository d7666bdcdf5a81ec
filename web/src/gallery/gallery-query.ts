import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** Asked again now and then: what phones have sent meanwhile enters the gallery without a link once its host was there. */
const REFRESH_MS = 60_000;

/** The settings of an event's gallery for guests, and its link, for the host. */
export const galleryQuery = (code: string) =>
  queryOptions({
    queryKey: ['guest-gallery', code],
    queryFn: () => call('GET /api/events/:ref/gallery', { params: { ref: code } }),
    refetchInterval: REFRESH_MS,
  });
