import { adminOf, createEvent, type Client, type EventUnderTest } from './api.ts';
import { drawPhoto } from './photos.ts';

/** Two events as guests find them, and who made them. */
export interface Gates {
  admin: Client;
  open: EventUnderTest;
  /** With the guests' password `Größe 100%`. */
  locked: EventUnderTest;
}

export async function gatesOf(url: string): Promise<Gates> {
  const admin = await adminOf(url);
  return {
    admin,
    open: await createEvent(admin),
    locked: await createEvent(admin, {
      title: 'Geschlossene Gesellschaft',
      with_upload_password: true,
      user_upload_password: 'Größe 100%',
    }),
  };
}

/** Small photos to choose, `IMG_0.jpg` and so on; others for each seed. */
export const smallPhotos = (count: number, seed: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => ({
      name: `IMG_${n}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await drawPhoto(seed + n, 640, 480),
    })),
  );
