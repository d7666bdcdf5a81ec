import { describe, expect, it } from 'vitest';
import { asTyped, germanTime } from './german-time.ts';

describe('a day and its time', () => {
  it.each(['17.05.2026, 21:00', '17.5.26 21 Uhr', ' 17.05.2026 um 21.00 Uhr ', '17.05.2026, 21'])('is read of %j', (typed) =>
    expect(germanTime(typed)).toBe('2026-05-17T21:00'),
  );
  it.each(['', '17', '17.05.2026', '31.02.2026, 21:00', '17.05.2026, 24:00', '17.05.2026, 21:60', '05/17/2026, 09:00 PM'])(
    'is none in %j',
    (typed) => expect(germanTime(typed)).toBeNull(),
  );
  it('is shown as it may be typed', () => expect(germanTime(asTyped('2026-05-17T09:05'))).toBe('2026-05-17T09:05'));
});
