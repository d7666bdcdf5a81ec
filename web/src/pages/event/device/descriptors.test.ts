import { DAY } from '@feierbild/contract/constants.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createItem, type Item } from '../item.ts';
import { all, putBytes } from './database.ts';
import { restore, save } from './descriptors.ts';

const PHOTO = new File(['a photo'], 'IMG_1.jpg', { type: 'image/jpeg' });

/** The device's stored values, by store and id. */
let kept: Record<string, Map<string, unknown>>;

/** Opens a database with the few functions that these tests need. */
function openDatabase() {
  const soon = (result: unknown) => {
    const request = { result, onsuccess: (): void => undefined };
    setImmediate(() => request.onsuccess());
    return request;
  };
  const objectStore = (name: string) => {
    const rows = kept[name]!;
    return {
      getAll: () => soon([...rows.values()]),
      getAllKeys: () => soon([...rows.keys()]),
      put: (row: { id: string }) => void rows.set(row.id, row),
      delete: (id: string) => void rows.delete(id),
    };
  };
  const transaction = () => {
    const open = { objectStore, oncomplete: () => undefined, commit: () => void setImmediate(() => open.oncomplete()) };
    return open;
  };
  return soon({ transaction });
}

beforeEach(() => {
  kept = { items: new Map(), bytes: new Map() };
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubGlobal('indexedDB', { open: openDatabase });
  vi.stubGlobal('navigator', { storage: { getDirectory: async () => ({}) } });
  // The limits of the device's answers use the window's timers.
  vi.stubGlobal('window', globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = (event: string): Promise<Item[]> => restore(event, new AbortController().signal);
const rows = async (): Promise<string[]> => (await all())[0].map(({ id }) => id);

it('a page of another event leaves a chosen photo alone whose copy is just being written', async () => {
  const item = createItem(PHOTO);
  await save('K7MQ2XWA', [item], [item]);
  await open('OTHER234');
  await putBytes(item.id, new ArrayBuffer(7));
  expect(await rows()).toEqual([item.id]);
  expect(await open('K7MQ2XWA')).toMatchObject([{ id: item.id, kept: true, submitted: false }]);
});

it('a chosen photo that was never copied is forgotten by the next page of its event at once, by others after a day', async () => {
  const item = createItem(PHOTO);
  await save('K7MQ2XWA', [item], [item]);
  expect(await open('K7MQ2XWA')).toEqual([]);
  expect(await rows()).toEqual([]);
  await save('K7MQ2XWA', [item], [item]);
  vi.setSystemTime(Date.now() + DAY + 1);
  await open('OTHER234');
  expect(await rows()).toEqual([]);
});
