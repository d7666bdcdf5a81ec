import { SLIDESHOW_INTERVAL } from '@feierbild/contract/constants.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { holdAtFirst, showsOf, steppedWall, type Show } from './support/show.ts';
import { useServer } from './support/use-server.ts';

describe('a running slideshow', () => {
  let begin: () => Promise<Show>;
  let admin: Show['admin'];
  let event: Show['event'];
  let host: Show['host'];
  let ids: Show['ids'];
  let add: Show['add'];
  let stage: Show['stage'];

  useServer(async (started) => void (begin = await showsOf(started)));
  beforeEach(async () => void ({ admin, event, host, ids, add, stage } = await begin()));

  it('takes new photos in and removed ones out without a reload, and stays at its photo', async () => {
    const { page, context, errors } = await stage();
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await holdAtFirst(page);
    await page.getByRole('button', { name: 'Nächstes Foto' }).click();
    const source = () => page.getByRole('img', { name: /^Foto \d/ }).getAttribute('src');
    await page.getByRole('img', { name: 'Foto 2 von 6' }).waitFor();
    expect(await source()).toContain(ids[1]);

    // The photo before it goes, and two come: the photo on the wall stays.
    await host.json('PUT', `/api/photos/${ids[0]}/slideshow`, { value: false });
    await Promise.all([add(10), add(11)]);
    await page.clock.fastForward(121_000);
    await page.getByRole('img', { name: 'Foto 1 von 7' }).waitFor();
    expect(await source()).toContain(ids[1]);

    // The photo on the wall is deleted: the next one takes its place.
    await host.json('DELETE', `/api/photos/${ids[1]}`);
    await page.clock.fastForward(121_000);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    expect(await source()).toContain(ids[2]);

    // Photos that came during the hold come now; then the order goes on.
    await page.getByRole('button', { name: 'Weiter' }).click();
    for (const place of [5, 6]) await page.getByRole('img', { name: `Foto ${place} von 6` }).waitFor();
    await page.clock.fastForward(10_000);
    await page.getByRole('img', { name: 'Foto 2 von 6' }).waitFor();
    expect(await source()).toContain(ids[3]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('shows a new photo at once, with its name for four seconds, then goes on in its order; and keeps the screen awake', async () => {
    const { page, context } = await stage();
    await page.addInitScript(() => {
      const request = navigator.wakeLock.request.bind(navigator.wakeLock);
      navigator.wakeLock.request = async (type) => {
        document.documentElement.dataset.awake = type ?? 'screen';
        return request(type);
      };
    });
    const until = await steppedWall(page, event);
    expect(await page.locator('html').getAttribute('data-awake')).toBe('screen');
    const fresh = await add(20);
    await until(() => page.getByRole('img', { name: 'Foto 7 von 7' }).isVisible());
    expect(await page.getByRole('img', { name: /^Foto/ }).getAttribute('src')).toContain(fresh);
    await until(() => page.getByText('Neu von Anna').isVisible());
    await page.clock.runFor(4000);
    await until(() => page.getByText('Neu von Anna').isHidden());
    for (const place of [2, 3, 4, 5, 6, 1]) {
      await page.clock.runFor(SLIDESHOW_INTERVAL);
      await until(() => page.getByRole('img', { name: `Foto ${place} von 7` }).isVisible());
    }
    await context.close();
  });

  it('fills five frames before it begins, beside the QR code for guests', async () => {
    const { page, context } = await stage();
    for (const id of ids.slice(0, 3)) await host.json('PUT', `/api/photos/${id}/slideshow`, { value: false });
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('heading', { name: 'Fast geschafft!' }).waitFor();
    await page.getByText('Fotos hinzufügen: 3/5').waitFor();
    await page.getByRole('img', { name: 'QR-Code zum Event' }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(5);
    expect(await page.getByRole('listitem').getByRole('img').count()).toBe(3);
    expect(await violationsOf(page)).toEqual([]);
    await Promise.all([add(60), add(61)]);
    await page.getByRole('img', { name: 'Foto 1 von 5' }).waitFor();
    await context.close();
  });

  it('shows nothing any more within seconds after its event was deleted', async () => {
    const { page, context } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await admin.json('DELETE', `/admin/events/${event.id}`, undefined, 200);
    await page.waitForURL('**/login**', { timeout: 15_000 });
    await context.close();
  });
});
