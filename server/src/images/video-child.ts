/**
 * A decoder process for videos, without native addons. It reads a video's properties from a few ranges of its bytes, and decodes nothing.
 */
import { serve } from './child-loop.ts';
import type { VideoTask } from './messages.ts';
import { answerVideo } from './video/read-video.ts';

await serve<VideoTask>(async (task, bytes, { more }) => answerVideo(task, bytes, (start, end) => more({ needed: [start, end] })));
