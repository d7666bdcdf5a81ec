/** The guests' page's code for videos, which is loaded if some are under „Meine Fotos“. */
import type { ComponentProps } from 'react';
import { canPlay } from '../../video/video.ts';
import { VideoPlayer } from '../../video/video-player.tsx';

export { isVideo } from '../../video/video.ts';
export { VideoLength } from '../../video/video-length.tsx';

type Cookieless = Pick<typeof import('./cookieless.tsx'), 'OwnPicture' | 'useOwn'>;

/** Plays an own video; `cookieless` loads it in a browser that keeps no cookie, if that can play it. */
export function OwnVideo({ cookieless, ...own }: ComponentProps<typeof VideoPlayer> & { cookieless: Cookieless | null }) {
  return cookieless && canPlay(own.photo.video) ? <FromMemory cookieless={cookieless} {...own} /> : <VideoPlayer {...own} />;
}

/** Shows the video's picture until the whole file has come. */
function FromMemory({ cookieless: { OwnPicture, useOwn }, photo, label }: ComponentProps<typeof VideoPlayer> & { cookieless: Cookieless }) {
  const { preview_url, width, height, video } = photo;
  const url = useOwn(video.url);
  if (url === undefined) return <OwnPicture src={preview_url} alt={label} {...{ width, height }} />;
  return <VideoPlayer photo={{ ...photo, video: { ...video, url } }} label={label} />;
}
