import { beforeEach } from 'vitest';
import type { Engine } from '../../../database/testing.ts';
import type { Decoder } from '../../../images/decoder.ts';
import { openApp, type TestApp } from '../../testing.ts';
import { FOTOBOX, type DavAnswer } from '../testing.ts';

type Event = Awaited<ReturnType<TestApp['event']>>;

/** Opens a server with an event for a booth alone before each test; `root` is its folder's path. Its clock stands still. */
export function beforeEachFolder(
  engine: Engine,
  decoder: Decoder,
  onOpen: (opened: { app: TestApp; event: Event; root: string; clock: { time: number } }) => void,
): void {
  beforeEach(async () => {
    const clock = { time: Date.now(), now: () => clock.time };
    const app = await openApp({ db: await engine.open(), decoder, stallMs: 2000, clock });
    const event = await app.event({ with_fotobox: 1, with_user_upload: 0 }, { fotobox: FOTOBOX });
    onOpen({ app, event, root: `/dav/${event.code}`, clock });
    return () => app.close();
  });
}

/** Reads an event's photos as its host sees them. */
export async function photosOf(app: TestApp, event: Event): Promise<{ id: string; filename: string; device: { name: string } }[]> {
  const response = await fetch(`${app.url}/api/events/${event.code}/photos`, { headers: { cookie: event.cookie } });
  return ((await response.json()) as { photos: { id: string; filename: string; device: { name: string } }[] }).photos;
}

/** Returns the paths that a folder's list names. */
export const names = ({ body }: DavAnswer): string[] => [...body.matchAll(/<D:response><D:href>([^<]*)</g)].map(([, href]) => String(href));
