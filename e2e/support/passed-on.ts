import { adminOf, createEvent, deviceOf, hostOf, upload, type EventUnderTest } from './api.ts';
import { drawPhoto } from './photos.ts';

/** A photo for which its host has made a link. */
export interface PassedOn {
  event: EventUnderTest;
  file: Buffer;
  photoId: string;
  link: string;
}

export async function passOnPhoto(url: string): Promise<PassedOn> {
  const event = await createEvent(await adminOf(url));
  const file = await drawPhoto(7, 640, 480);
  const stored = await upload({ url, code: event.code, device: await deviceOf(url), file });
  const { id: photoId } = ((await stored.json()) as { photo: { id: string } }).photo;
  const host = await hostOf(url, event);
  const { download_url: link } = await host.json<{ download_url: string }>('POST', `/api/photos/${photoId}/link`, undefined, 201);
  return { event, file, photoId, link };
}
