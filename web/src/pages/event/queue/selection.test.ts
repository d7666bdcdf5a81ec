import { describe, expect, it } from 'vitest';
import { createItem, isAtRisk, isHeic, isOwed, type Failure, type Item } from '../item.ts';
import { addFiles, nextToSend, submit, shareSent, takeBack, withdraw } from './selection.ts';

let ids = 0;
const newId = (): string => String(++ids);
const file = (name: string, size = 3): File => new File([new Uint8Array(size)], name, { lastModified: 1, type: 'image/jpeg' });
const chosen = (...files: File[]): Item[] => files.map((one) => createItem(one, newId()));
const item = (name: string, state: Item['state'], code?: Failure['code']): Item => ({
  ...createItem(file(name), newId()),
  state,
  submitted: true,
  failure: code ? { code, message: '' } : null,
});

describe('the selection', () => {
  it('takes the same file once', () => {
    const once = addFiles([], chosen(file('a.jpg'), file('a.jpg'), file('a.jpg', 4)));
    expect(addFiles(once, chosen(file('a.jpg')))).toHaveLength(2);
  });

  it('drops what is stored when new files come; what may still be stored waits again, what never will stays red', () => {
    const before = [item('done', 'stored'), item('full', 'refused', 'storage_full'), item('text', 'refused', 'not_a_photo')];
    const items = addFiles(before, chosen(file('new')));
    expect(items.map((one) => [one.name, one.state])).toEqual([
      ['full', 'waiting'],
      ['text', 'refused'],
      ['new', 'waiting'],
    ]);
  });

  it('sends by a press what may still be stored, and once more what was refused for itself where nothing else is left and nothing arrived', () => {
    const next = (items: Item[]): string[] => nextToSend(items).map(({ name }) => name);
    const refused = item('a', 'refused', 'too_large');
    expect(next([item('s', 'stored'), item('b', 'waiting', 'no_connection'), item('c', 'waiting'), refused])).toEqual(['b', 'c']);
    expect(next([refused, item('b', 'refused', 'storage_full')])).toEqual(['b']);
    expect(next([refused, { ...item('d', 'lost', 'unreadable'), file: null }])).toEqual(['a']);
    expect(next([item('s', 'stored'), refused])).toEqual([]);
  });

  it('gives the upload of a file that could no longer be read to the same one chosen again, and keeps what an earlier page had only chosen', () => {
    const lost = item('a', 'lost', 'unreadable');
    const left = { ...item('b', 'waiting'), file: null, earlier: true, submitted: false };
    const owed = { ...item('c', 'waiting'), file: null, earlier: true, submitted: true };
    const after = addFiles([lost, left, owed], [item('a', 'waiting')]);
    expect(after.map(({ name, state }) => [name, state])).toEqual([
      ['b', 'waiting'],
      ['c', 'waiting'],
      ['a', 'waiting'],
    ]);
    expect(after[2]).toMatchObject({ id: lost.id, wire: { key: lost.wire.key, chosenAgain: true } });
  });

  it('shows a file that an earlier page had only chosen once it is chosen again, whatever time the picker gives it', () => {
    const left = { ...item('b', 'waiting'), file: null, earlier: true, submitted: false, kept: true };
    const again = chosen(new File([new Uint8Array(3)], 'b', { lastModified: 2 }));
    expect(addFiles([left], again)).toEqual(again);
    const [other] = addFiles([left], chosen(file('b', 4)));
    expect(other).toBe(left);
  });

  it('sends by itself only what was submitted and not refused', () => {
    const chosen = { ...item('a', 'waiting'), submitted: false };
    const refused = item('b', 'refused', 'storage_full');
    expect([chosen, refused, item('c', 'waiting', 'no_connection')].map(isOwed)).toEqual([false, false, true]);
    expect(submit([chosen, refused, item('d', 'refused', 'not_a_photo')]).map(isOwed)).toEqual([true, true, false]);
  });

  it('would lose with the page what is neither stored, refused nor kept', () => {
    const kept = { ...item('a', 'waiting'), kept: true, noted: true };
    const items = [item('a', 'stored'), item('b', 'refused', 'too_large'), kept, item('c', 'sending'), { ...kept, noted: false }];
    expect(items.map(isAtRisk)).toEqual([false, false, false, true, true]);
  });

  it('tells its share: whole files that are settled, parts of those on their way', () => {
    expect(shareSent([])).toBe(0);
    const half: Item = { ...item('c', 'sending'), progress: 0.5 };
    expect(shareSent([item('a', 'stored'), item('b', 'refused', 'too_large'), half, item('d', 'waiting')])).toBe(0.625);
  });

  it('puts a file that was lost back in its place when it is chosen again, whatever time the picker gives it', () => {
    const before = { ...item('a.jpg', 'lost', 'unreadable'), earlier: true, file: null };
    const [found, ...others] = addFiles([before], chosen(new File([new Uint8Array(3)], 'a.jpg', { lastModified: 2 })));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ id: before.id, state: 'waiting', earlier: false, submitted: false, failure: null });
    expect(found?.wire).toBe(before.wire);
    // The chosen file may be another one with this name and size.
    expect(found?.wire.chosenAgain).toBe(true);
  });

  it('holds nothing of an earlier page any more once the sending was ended, and what is chosen here waits for the button', () => {
    const earlier = { ...item('a', 'waiting'), earlier: true };
    const done = item('b', 'stored');
    const missing = { ...item('e', 'lost', 'unreadable'), kept: true };
    const left = withdraw([earlier, done, item('c', 'waiting', 'no_connection'), item('d', 'refused', 'too_large'), missing]);
    expect(left.map(({ name, state, submitted }) => [name, state, submitted])).toEqual([
      ['b', 'stored', true],
      ['c', 'waiting', false],
      ['d', 'refused', true],
    ]);
  });

  it('takes back what another page could not even note, and what it noted as that page left it', () => {
    const handed = [item('a', 'waiting'), item('b', 'sending'), item('c', 'waiting')];
    const [, b] = handed as [Item, Item];
    const noted: Item = { ...b, file: null, earlier: true, state: 'stored' };
    const mine = { ...item('d', 'waiting'), submitted: false };
    const back = takeBack([mine], [noted], handed);
    expect(back.map(({ name, state, file: own }) => [name, state, own !== null])).toEqual([
      ['b', 'stored', false],
      ['a', 'waiting', true],
      ['c', 'waiting', true],
      ['d', 'waiting', true],
    ]);
  });

  it('knows HEIC by type or by name in any case', () => {
    expect(isHeic({ name: 'IMG.HEIC', type: '' })).toBe(true);
    expect(isHeic({ name: 'x', type: 'image/heic' })).toBe(true);
    expect(isHeic({ name: 'x.heif', type: 'image/heif' })).toBe(false);
  });
});
