import { ANONYMOUS, MINUTE } from '@feierbild/contract/constants.ts';
import type { GalleryChanges, Photo } from '@feierbild/contract/entities.ts';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { newDevice, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { beforeEachGallery, galleryClient, OPEN, REVEAL } from './testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('a guest who changes the name, with a gallery on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let clock: { time: number; now(): number };
  beforeEachGallery(engine, decoder, (opened) => ({ app, event, host, clock } = opened));

  const { call, json, set, send, enter, list, flag } = galleryClient(() => ({ app, event }));
  const namesFor = async (guest: Headers) => (await list(guest)).photos.map(({ device }) => device.name);
  const release = (settings: object) => json('PUT', `/api/events/${event.code}/release`, host, settings);
  const remove = (photo: Photo, by: Headers) => call('DELETE', `/api/photos/${photo.id}`, by);
  const since = (guest: Headers, seq: number) => json<GalleryChanges>('GET', `/api/events/${event.code}/photos?seq=${seq}`, guest);
  /** Opens the dashboard's card of the gallery, as hosts do. */
  const look = () => json('GET', `/api/events/${event.code}/gallery`, host);
  const wait = async (minutes: number): Promise<void> => {
    clock.time += minutes * MINUTE;
    await app.dueApprovals.run();
  };

  it('has the newest one there, whether the gallery was open before or is opened, or gets a new link, afterwards', async () => {
    const device = newDevice();
    await send(device, event, 'Anna');
    await send(device, event, 'Anna Maria');
    const settings = await set(OPEN);
    expect(await namesFor(await enter(settings))).toEqual(['Anna Maria', 'Anna Maria']);
    await send(device, event, 'Annemarie');
    expect(await namesFor(await enter(settings))).toEqual(Array(3).fill('Annemarie'));
    const renewed = await json<{ url: string }>('POST', `/api/events/${event.code}/gallery/link`, host);
    expect(await namesFor(await enter(renewed))).toEqual(Array(3).fill('Annemarie'));
  });

  it('keeps it where an older photo is shown again', async () => {
    const device = newDevice();
    const old = await send(device, event, 'Anna');
    const guest = await enter(await set(OPEN));
    await send(device, event, 'Anna Maria');
    await flag(old, false);
    await flag(old, true);
    expect(await namesFor(guest)).toEqual(['Anna Maria', 'Anna Maria']);
  });

  it('gets none that nobody has let pass: not from a photo that waits, nor from one that was refused', async () => {
    const device = newDevice();
    await release({ value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    const first = await send(device, event, 'Anna');
    await flag(first, true);
    const rude = await send(device, event, 'Dumme Gans');
    expect(await namesFor(guest)).toEqual(['Anna']);
    await flag(rude, false);
    await send(device, event, 'Anna');
    await wait(10);
    expect(await namesFor(guest)).toEqual(['Anna', 'Anna']);
    const last = await send(device, event, 'Anna Maria');
    await flag(last, true);
    expect(await namesFor(guest)).toEqual(Array(3).fill('Anna Maria'));
  });

  it('has no name from a refused photo on one that the clock lets pass, and the next one after it', async () => {
    const device = newDevice();
    await release({ value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    const rude = await send(device, event, 'Dumme Gans');
    await send(device, event, 'Anna');
    await flag(rude, false);
    await wait(10);
    expect(await namesFor(guest)).toEqual([ANONYMOUS]);
    const next = await send(device, event, 'Anna');
    await flag(next, true);
    expect(await namesFor(guest)).toEqual(['Anna', 'Anna']);
  });

  it.each([
    ['its host hides it', (photo: Photo) => flag(photo, false)],
    ['its host deletes it', (photo: Photo) => remove(photo, host)],
    ['the guest deletes it', (photo: Photo, device: string) => remove(photo, { 'device-id': device })],
    [
      'it has to wait again',
      async (photo: Photo) => {
        await release({ value: true, minutes: 10 });
        return call('PUT', `/api/photos/${photo.id}/slideshow`, host, { waiting: true });
      },
    ],
  ])('loses a name with the photo that gave it, on the others and on open pages, when %s', async (_when, take) => {
    const device = newDevice();
    await send(device, event, 'Anna');
    const guest = await enter(await set(OPEN));
    const rude = await send(device, event, 'Dumme Gans');
    const { seq } = await list(guest);
    expect(await namesFor(guest)).toEqual(['Dumme Gans', 'Dumme Gans']);
    expect((await take(rude, device)).ok).toBe(true);
    expect(await namesFor(guest)).toEqual(['Anna']);
    // The page reads everything anew.
    expect((await since(guest, seq)).gone).toBeNull();
  });

  it('keeps the name, and others their pages, when a photo of the same name goes', async () => {
    const device = newDevice();
    const first = await send(device, event, 'Anna');
    const guest = await enter(await set(OPEN));
    const [second, third] = [await send(device, event, 'Anna'), await send(device, event, 'Anna')];
    const { seq } = await list(guest);
    await flag(third, false);
    await remove(first, host);
    expect((await since(guest, seq)).gone?.toSorted()).toEqual([first.id, third.id].toSorted());
    expect(await namesFor(guest)).toEqual(['Anna']);
    expect((await remove(second, { 'device-id': device })).status).toBe(204);
    await send(device, event, 'Annemarie');
    expect(await namesFor(guest)).toEqual(['Annemarie']);
  });

  it('has none once somebody without a key of the event has deleted its photo, until the host looks', async () => {
    const device = newDevice();
    await send(device, event, 'Anna');
    const guest = await enter(await set(OPEN));
    const rude = await send(device, event, 'Dumme Gans');
    const row = await app.photos.byId(rude.id);
    const { seq } = await list(guest);
    await app.photos.remove({ row: row! });
    expect((await since(guest, seq)).gone).toBeNull();
    expect(await namesFor(guest)).toEqual([ANONYMOUS]);
    await look();
    expect(await namesFor(guest)).toEqual(['Anna']);
  });

  it('has no name from a waiting photo that was deleted, nor from one that waits beside it, where the clock lets one pass', async () => {
    const device = newDevice();
    await release({ value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    const rude = await send(device, event, 'Dumme Gans');
    await send(device, event, 'Anna');
    await remove(rude, host);
    await wait(5);
    await send(device, event, 'Blöde Kuh');
    await wait(5);
    expect(await namesFor(guest)).toEqual([ANONYMOUS]);
    await look();
    expect(await namesFor(guest)).toEqual(['Anna']);
  });

  it('keeps the name that guests read when a waiting photo of another name goes', async () => {
    const device = newDevice();
    await release({ value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    await send(device, event, 'Anna');
    await wait(10);
    const [one, two] = [await send(device, event, 'Anna Maria'), await send(device, event, 'Annemarie')];
    const { seq } = await list(guest);
    await remove(one, { 'device-id': device });
    await flag(two, false);
    expect((await since(guest, seq)).gone).not.toBeNull();
    expect(await namesFor(guest)).toEqual(['Anna']);
  });

  it('has no name of a hidden photo on a newer one that the clock has shown under it', async () => {
    const device = newDevice();
    await release({ value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    const rude = await send(device, event, 'Dumme Gans');
    await send(device, event, 'Anna');
    await wait(10);
    expect(await namesFor(guest)).toEqual(['Dumme Gans', 'Dumme Gans']);
    await flag(rude, false);
    expect(await namesFor(guest)).toEqual(['Anna']);
  });

  it.each([
    ['the gallery is opened', () => set(OPEN)],
    [
      'it gets a new link',
      async () => {
        await set(OPEN);
        return json<{ url: string }>('POST', `/api/events/${event.code}/gallery/link`, host);
      },
    ],
    [
      'photos begin to show themselves',
      async () => {
        await release({ value: true, minutes: null });
        const settings = await set(OPEN);
        await release({ value: true, minutes: 5 });
        return settings;
      },
    ],
  ])('has no name of a waiting photo when %s while nothing else is there', async (_when, open) => {
    const device = newDevice();
    await release({ value: true, minutes: 10 });
    await send(device, event, 'Anna');
    await wait(5);
    const rude = await send(device, event, 'Dumme Gans');
    const guest = await enter(await open());
    await wait(5);
    for (const name of await namesFor(guest)) expect(name).toBe(ANONYMOUS);
    await flag(rude, false);
    await look();
    expect(await namesFor(guest)).toEqual(['Anna']);
  });

  it('has the newest name after a reveal by the host, though the gallery was open before under another', async () => {
    const device = newDevice();
    await send(device, event, 'Anna Müller');
    const settings = await set(OPEN);
    await set(REVEAL);
    await send(device, event, 'Anna');
    await json('POST', `/api/events/${event.code}/gallery/reveal`, host);
    expect(await namesFor(await enter(settings))).toEqual(['Anna', 'Anna']);
  });

  it('has no name of a waiting photo once it is no longer to show itself', async () => {
    const device = newDevice();
    await release({ value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    const rude = await send(device, event, 'Dumme Gans');
    await release({ value: true, minutes: null });
    await remove(rude, host);
    await release({ value: true, minutes: 10 });
    await send(device, event, 'Anna');
    await wait(10);
    expect(await namesFor(guest)).toEqual(['Anna']);
  });
});
