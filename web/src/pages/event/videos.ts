/** All of the guest's page that is about videos: loaded where the event takes some, or where some are under „Meine Fotos“. */
export { isVideo } from '../../video/video.ts';
export { VideoLength } from '../../video/video-length.tsx';
export { VideoPlayer } from '../../video/video-player.tsx';
