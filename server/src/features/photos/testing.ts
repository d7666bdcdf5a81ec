import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Engine } from '../../database/testing.ts';
import { createDecoder } from '../../images/create-decoder.ts';
import type { Decoder } from '../../images/decoder.ts';
import { drawVideo } from '../../images/testing/videos.ts';
import { createLog } from '../../lib/log.ts';
import { newDevice, openApp, type TestApp } from '../testing.ts';

type Headers = Record<string, string>;
interface Opened {
  decoder: Decoder;
  video: Buffer<ArrayBuffer>;
  app: TestApp;
  event: Awaited<ReturnType<TestApp['event']>>;
  device: string;
}

/** For tests: opens a server with an event that takes videos before each test, and sends it videos, which ffmpeg draws. */
export function videosOf(engine: Engine, onOpen: (opened: Opened) => void) {
  let drawn: Pick<Opened, 'decoder' | 'video'>;
  let at: Opened;

  beforeAll(async () => {
    const decoder = createDecoder({ log: createLog('silent') });
    const video = await drawVideo({ more: ['-movflags', 'use_metadata_tags', '-metadata', 'location=+52.5163+013.3777/'] });
    drawn = { decoder, video };
  });
  afterAll(async () => {
    await drawn.decoder.close();
    await engine.dispose();
  });
  beforeEach(async () => {
    const app = await openApp({ db: await engine.open(), decoder: drawn.decoder });
    at = { ...drawn, app, event: await app.event({ with_videos: 1 }), device: newDevice() };
    onOpen(at);
    return () => app.close();
  });

  const named = (bytes: Uint8Array, name: string): File => new File([Uint8Array.from(bytes)], name);
  const add = async (bytes: Uint8Array = at.video, name = 'VID_0042.MP4') =>
    at.app.upload(at.event.code, named(bytes, name), { device: at.device });
  const get = (path: string, headers: Headers = { cookie: at.event.cookie }) => fetch(`${at.app.url}${path}`, { headers });
  const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
  const send = (path: string, method: string, headers: Headers, body?: BodyInit) =>
    fetch(`${at.app.url}${path}`, {
      method,
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
      ...(body !== undefined && { body }),
    });

  return { named, add, get, bytesOf, send };
}
