/** All of the guest's page that is about videos: loaded where the event takes some, or where some are under „Meine Fotos“. */
import type { ComponentProps } from 'react';
import { VideoPlayer } from '../../video/video-player.tsx';

export { isVideo } from '../../video/video.ts';
export { VideoLength } from '../../video/video-length.tsx';

type Cookieless = Pick<typeof import('./cookieless.tsx'), 'OwnPicture' | 'useOwn'>;

/** One's own; `cookieless` loads it where the browser keeps no cookie. */
export function OwnVideo({ cookieless, ...own }: ComponentProps<typeof VideoPlayer> & { cookieless: Cookieless | null }) {
  return cookieless ? <FromMemory cookieless={cookieless} {...own} /> : <VideoPlayer {...own} />;
}

/** Its picture until the whole file is there. */
function FromMemory({ cookieless: { OwnPicture, useOwn }, photo, label }: ComponentProps<typeof VideoPlayer> & { cookieless: Cookieless }) {
  const { preview_url, width, height, video } = photo;
  const url = useOwn(video.url);
  if (url === undefined) return <OwnPicture src={preview_url} alt={label} {...{ width, height }} />;
  return <VideoPlayer photo={{ ...photo, video: { ...video, url } }} label={label} />;
}
