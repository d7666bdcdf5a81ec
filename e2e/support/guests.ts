import type { Page } from 'playwright';
import { adminOf, createEvent, type Client, type EventUnderTest } from './api.ts';
import { drawPhoto } from './photos.ts';

/** Two events for guests, and the administrator who made them. */
export interface Gates {
  admin: Client;
  open: EventUnderTest;
  /** The event that needs the guests' `PASSWORD`. */
  locked: EventUnderTest;
}

export const PASSWORD = 'Größe 100%';

export async function gatesOf(url: string): Promise<Gates> {
  const admin = await adminOf(url);
  return {
    admin,
    open: await createEvent(admin),
    locked: await createEvent(admin, {
      title: 'Geschlossene Gesellschaft',
      with_upload_password: true,
      user_upload_password: PASSWORD,
    }),
  };
}

/** Makes small photos to choose, `IMG_0.jpg` and so on, different for each seed. */
export const smallPhotos = (count: number, seed: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => ({
      name: `IMG_${n}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await drawPhoto(seed + n, 640, 480),
    })),
  );

/** Chooses photos on the event's page, agrees and presses the button, until all have arrived. */
export async function sendPhotos(page: Page, photos: Awaited<ReturnType<typeof smallPhotos>>): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(photos);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: `Hochladen (${photos.length})` }).click();
  await page.getByRole('button', { name: '✓ Hochgeladen' }).waitFor();
}

/** Opens one of the own photos and asks for its deletion, up to the last question. */
export async function askToDelete(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `${name}, ansehen` }).click();
  await page.getByRole('button', { name: 'Löschen' }).click();
}
