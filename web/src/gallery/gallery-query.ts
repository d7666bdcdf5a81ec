import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** Pause between reads. A read gives phones that have sent photos since the last one their access without a link. */
const REFRESH_MS = 60_000;
/** Pause between reads while photos are being opened for the gallery. */
const OPENING_MS = 1000;

/** Reads the settings of an event's gallery for guests, and its link, for the host. */
export const galleryQuery = (code: string) =>
  queryOptions({
    queryKey: ['guest-gallery', code],
    queryFn: () => call('GET /api/events/:ref/gallery', { params: { ref: code } }),
    refetchInterval: ({ state }) => ((state.data?.pending ?? 0) > 0 ? OPENING_MS : REFRESH_MS),
  });
