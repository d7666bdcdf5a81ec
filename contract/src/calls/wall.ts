import { z } from 'zod';
import { bytesCall, calls } from '../call.ts';
import { BRIGHTNESS, LAYOUTS } from '../wall.ts';
import { LinkForm } from './gallery.ts';

const state = {
  paused: z.boolean(),
  /** The wall is black, as for a speech. */
  curtain: z.boolean(),
  layout: z.enum(LAYOUTS),
  qr: z.boolean(),
  brightness: z.int().min(BRIGHTNESS.least).max(BRIGHTNESS.most),
  /** The wall shows a round of the photos that guests gave hearts. */
  favourites: z.boolean(),
  /** Screens with more pixels than previews have get larger pictures. */
  large: z.boolean(),
  /** Id of the photo that the host put on the wall. */
  photo: z.string().max(100).nullable(),
};
const WallState = z.object({
  ...state,
  /** Number of requests for the next slide. */
  steps: z.int(),
});
export type WallState = z.infer<typeof WallState>;

const Wall = z.object({
  ...WallState.shape,
  version: z.int(),
});
export type Wall = z.infer<typeof Wall>;

const WallChange = z
  .object(state)
  .partial()
  .extend({
    /** The version that the change is based on. */
    version: z.int(),
    next: z.literal(true).optional(),
  });
export type WallChange = z.output<typeof WallChange>;

const CrewLink = z.object({
  /** Path that opens the slideshow, with the link's token in its fragment; null: there is no link. */
  url: z.string().nullable(),
});

export const wallCalls = calls('wall', 'The slideshow on a wall: its remote control, and the link for whoever shows it.', {
  'GET /api/events/:ref/wall': {
    summary:
      'What the host has chosen for the walls of an event, and where guests send photos: with the token of their gallery, where there is one.',
    access: 'slideshow',
    answers: {
      200: Wall.extend({
        /** Path of the guests' page. */
        guests: z.string(),
        /** Ids of the round of favourites, from few hearts to many; missing if there is no round. */
        loved: z.array(z.string()).optional(),
      }),
    },
  },
  'PUT /api/events/:ref/wall': {
    summary: 'Changes it. A change that was made from an older version is refused (409): two phones do not undo each other.',
    access: 'host',
    body: WallChange,
    answers: { 200: Wall },
    errors: ['demo_fixed', 'event_changed', 'event_purged', 'photo_not_found'],
  },
  'GET /api/photos/:id/large': bytesCall(
    'slideshow',
    'A photo that the slideshow shows, at most 3,840 px: a web format without metadata. Made at the first request, behind all other work, where the host wishes it and the original has more pixels than the preview.',
    'large_missing',
    'unavailable',
  ),
  'GET /api/events/:ref/wall/link': {
    summary: 'The link for whoever shows the slideshow.',
    access: 'host',
    answers: { 200: CrewLink },
  },
  'POST /api/events/:ref/wall/link': {
    summary:
      'Makes one, another one in its place, or ends it (`value: false`): where there was one, the screens that it has opened, and all other locked slideshows of the event, end. `keep`: an earlier one stays, and is the answer.',
    access: 'host',
    body: LinkForm.nullish(),
    answers: { 200: CrewLink },
    errors: ['demo_fixed', 'event_changed', 'event_purged', 'slideshow_disabled'],
  },
  'POST /api/events/:ref/wall/code': {
    summary:
      'Eight characters that open the slideshow once, within a quarter of an hour, typed by a remote control at /tv; an earlier one ends.',
    access: 'host',
    answers: { 200: z.object({ code: z.string(), expires_at: z.string() }) },
    errors: ['demo_fixed', 'event_purged', 'slideshow_disabled'],
  },
  'POST /auth/wall/login': {
    summary: "Opens an event's slideshow, and nothing else, by the link's `token` or by the eight characters `typed`. Sets the cookie.",
    access: 'anyone',
    asks: ['projector'],
    body: z.object({ code: z.string().max(200).optional(), token: z.string().max(200).optional(), typed: z.string().max(200).optional() }),
    answers: { 200: z.object({ role: z.literal('projector'), code: z.string() }) },
    errors: ['invalid_credentials', 'too_many_attempts', 'unavailable'],
  },
});
