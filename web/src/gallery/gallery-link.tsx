import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed } from '../ui/loaded.tsx';
import { galleryQuery } from './gallery-query.ts';

interface GalleryLink {
  /** The link for guests; null if there is none, or if it is not known. */
  link: string | null;
  /** What to say where it is not known. */
  notice: ReactNode;
}

/**
 * Returns the link of an event's gallery for what people pass on; null until it was read, because a code that lacks it stays in prints and
 * chats. A later read takes nothing away. `unknown` is the sentence for a link that is not known.
 */
export function useGalleryLink(code: string, unknown: string): GalleryLink | null {
  const { data, error, isFetched, refetch } = useQuery(galleryQuery(code));
  if (!isFetched) return null;
  const notice = !data && (
    <>
      <p>{unknown}</p>
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
    </>
  );
  return { link: data?.url ?? null, notice };
}
