import { describe, expect, it } from 'vitest';
import { legible, scaleLabelsOf } from './scale-labels.ts';

const place = (time: string, top: number) => ({ photo: time, index: 0, left: 0, top, width: 1, height: 1 });

describe('labels beside the gallery', () => {
  it('stand where a day or an hour begins, also backwards', () => {
    const times = ['2026-05-16T21:50:00', '2026-05-16T21:55:00', '2026-05-16T22:01:00', '2026-05-17T09:00:00'];
    const found = (all: string[]) =>
      scaleLabelsOf(
        all.map((time, n) => place(time, n * 100)),
        (time) => time,
      ).map(({ top, day }) => [top, day]);
    expect(found(times)).toEqual([
      [0, true],
      [200, false],
      [300, true],
    ]);
    expect(found(times.toReversed())).toEqual([
      [0, true],
      [100, true],
      [200, false],
    ]);
    expect(found([])).toEqual([]);
  });

  it('are left out where there is no room, hours before days', () => {
    const label = (top: number, day = false) => ({ top, time: '2026-05-16T21:00:00', day });
    const labels = [label(0, true), label(100), label(390), label(400, true), label(430)];
    expect(legible(labels, 0.1, 10).map(({ top }) => top)).toEqual([0, 100, 400]);
    expect(legible(labels, 1, 10).map(({ top }) => top)).toEqual([0, 100, 390, 400, 430]);
  });
});
