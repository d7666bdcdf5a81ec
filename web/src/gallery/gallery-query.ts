import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** Asked again now and then: what phones have sent meanwhile enters the gallery without a link once its host was there. */
const REFRESH_MS = 60_000;
/** The same while photos are being opened. */
const OPENING_MS = 1000;

/** The settings of an event's gallery for guests, and its link, for the host. */
export const galleryQuery = (code: string) =>
  queryOptions({
    queryKey: ['guest-gallery', code],
    queryFn: () => call('GET /api/events/:ref/gallery', { params: { ref: code } }),
    refetchInterval: ({ state }) => ((state.data?.pending ?? 0) > 0 ? OPENING_MS : REFRESH_MS),
  });
