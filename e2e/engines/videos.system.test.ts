import type { Photo } from '@feierbild/contract/entities.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawVideo, hasFfmpeg, type TestVideo } from '../../server/src/images/testing/videos.ts';
import { adminOf, createEvent, deviceOf, upload, type EventUnderTest } from '../support/api.ts';
import { drawPhoto } from '../support/photos.ts';
import { startProxy } from '../support/proxy.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ENGINES } from './engines.ts';
import type { Person } from './person.ts';

const CANNOT_PLAY = 'Dieses Gerät kann das Video nicht abspielen';
const LINE_BROKEN = 'Die Verbindung ist unterbrochen. Das Video geht von selbst weiter.';
const WINDOW = { width: 1200, height: 900 };
const VIDEOS = {
  'WebM with VP9': { container: 'webm', picture: 'vp9', sound: 'opus', seconds: 4 },
  'MP4 with H.264': { picture: 'h264', seconds: 4 },
  'MP4 with HEVC': { picture: 'hevc', seconds: 4 },
} satisfies Record<string, TestVideo>;

/** The shown video; the viewer has its neighbours in the page, too. */
const VIDEO = `document.querySelector('.yarl__slide_current video')`;
/** Plays the video muted; browsers let only silent videos begin by themselves. */
const PLAY = `(() => { const video = ${VIDEO};
  if (video) { video.muted = true; video.play().catch(() => undefined); } return video !== null; })()`;
const MOVES = `(() => { const video = ${VIDEO}; return video !== null && video.currentTime > 0.2; })()`;
const REFUSED = `document.body.innerText.includes('${CANNOT_PLAY}')
  && [...document.querySelectorAll('a[download]')].some((link) => link.textContent.includes('Herunterladen') && link.href.endsWith('/download'))
  && [...document.querySelectorAll('img[src*="/preview"]')].some((picture) => picture.naturalWidth > 0)`;

describe.skipIf(!hasFfmpeg).each(Object.entries(ENGINES))('videos in %s (ffmpeg draws them)', (name, { start, there }) => {
  if (!there) console.log(`skipped: ${name} is not on this machine`);
  let server: TestServer;
  let person: Person;
  let event: EventUnderTest;
  const videos: Record<string, Photo> = {};

  beforeAll(async () => {
    if (!there) return;
    [server, person] = await Promise.all([startServer(), start(WINDOW)]);
    event = await createEvent(await adminOf(server.url), { with_videos: true });
    const device = await deviceOf(server.url);
    const send = async (file: Buffer<ArrayBuffer>): Promise<Photo> => {
      const answer = await upload({ url: server.url, code: event.code, device, file });
      return ((await answer.json()) as { photo: Photo }).photo;
    };
    for (const [what, video] of Object.entries<TestVideo>(VIDEOS)) videos[what] = await send(await drawVideo(video));
    for (let seed = 0; seed < 2; seed++) await send((await drawPhoto(seed, 320, 240)) as Buffer<ArrayBuffer>);
    await person.open(`${server.url}/manage`);
    await person.write('Benutzername', event.host.username);
    await person.write('^Passwort', event.host.password);
    await person.press('button', '^Anmelden$');
    await person.sees('heading', event.title);
  });
  afterAll(async () => {
    await person?.close();
    await server?.dispose();
  });

  it.skipIf(!there).each(Object.keys(VIDEOS))('%s plays, or shows its poster, a sentence and the download', async (what) => {
    await person.open(`${server.url}/gallery/${event.code}?foto=${videos[what]?.id}`);
    await person.until(`${PLAY} || (${REFUSED})`, 'a player or the sentence');
    await person.until(`(${PLAY} && ${MOVES}) || (${REFUSED})`, 'a video that moves, or the sentence');
    // Builds of these two bring their own decoder for VP9; all else depends on the machine.
    if (what === 'WebM with VP9' && name !== 'WebKit') await person.until(`${PLAY} && ${MOVES}`, 'a video that moves');
  });

  it.skipIf(!there)('pass by on the wall, those that cannot be played too', async () => {
    await person.open(`${server.url}/slideshow/${event.code}`);
    const [first, second, third] = Object.values(videos).map(({ id }) => `document.querySelector('video[src*="${id}"]') !== null`);
    for (const there of [first, second, third]) await person.until(there as string, 'the next video');
    await person.until(`document.querySelector('img[alt="Foto 4 von 5"]') !== null`, 'the photo behind the videos');
    expect(person.errors()).toEqual([]);
  });

  it.skipIf(!there)('wait where the server is away, and begin by themselves once it answers again', async () => {
    const proxy = await startProxy(server.url);
    try {
      await person.open(`${proxy.url}/gallery/${event.code}?foto=${videos['WebM with VP9']?.id}`);
      await person.until(`${VIDEO} !== null || (${REFUSED})`, 'a player or the sentence');
      proxy.become('bad-gateway');
      await person.until(`${PLAY} && document.body.innerText.includes('${LINE_BROKEN}') || (${REFUSED})`, 'that the line is broken');
      proxy.become('open');
      await person.until(`${MOVES} || (${REFUSED})`, 'a video that moves, or the sentence');
      if (name !== 'WebKit') await person.until(MOVES, 'a video that moves');
    } finally {
      await proxy.close();
    }
  });
});
