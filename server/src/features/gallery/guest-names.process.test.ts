import { ANONYMOUS, MINUTE } from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { newDevice, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { beforeEachGallery, galleryClient, OPEN } from './testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('a guest who changes the name, with a gallery on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let clock: { time: number; now(): number };
  beforeEachGallery(engine, decoder, (opened) => ({ app, event, host, clock } = opened));

  const { json, set, send, enter, list, flag } = galleryClient(() => ({ app, event }));
  const namesFor = async (guest: Headers) => (await list(guest)).photos.map(({ device }) => device.name);

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
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    const first = await send(device, event, 'Anna');
    await flag(first, true);
    const rude = await send(device, event, 'Dumme Gans');
    expect(await namesFor(guest)).toEqual(['Anna']);
    await flag(rude, false);
    await send(device, event, 'Anna');
    clock.time += 10 * MINUTE;
    await app.dueApprovals.run();
    expect(await namesFor(guest)).toEqual(['Anna', 'Anna']);
    const last = await send(device, event, 'Anna Maria');
    await flag(last, true);
    expect(await namesFor(guest)).toEqual(Array(3).fill('Anna Maria'));
  });

  it('has no name from a refused photo on one that the clock lets pass, and the next one after it', async () => {
    const device = newDevice();
    await json('PUT', `/api/events/${event.code}/release`, host, { value: true, minutes: 10 });
    const guest = await enter(await set(OPEN));
    const rude = await send(device, event, 'Dumme Gans');
    await send(device, event, 'Anna');
    await flag(rude, false);
    clock.time += 10 * MINUTE;
    await app.dueApprovals.run();
    expect(await namesFor(guest)).toEqual([ANONYMOUS]);
    const next = await send(device, event, 'Anna');
    await flag(next, true);
    expect(await namesFor(guest)).toEqual(['Anna', 'Anna']);
  });
});
