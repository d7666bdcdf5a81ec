import { describe, expect, it } from 'vitest';
import { createSenders } from './senders.ts';

describe('the sender of an upload', () => {
  it('is hung up on, and waited for no longer than a page waits, where the store keeps what it sent for long', async () => {
    const senders = createSenders({ keepMs: 50 });
    let hungUp = 0;
    const line = { silentMs: () => 1000, hangUp: () => void (hungUp += 1), rest: () => undefined };
    const active = senders.start('a', 1, line);
    await senders.stop('a');
    expect(hungUp).toBe(1);
    active[Symbol.dispose]();
    await senders.stop('a');
    expect(hungUp).toBe(1);
  });

  it('gives way to one that took the upload over later, and to none that did before', () => {
    const senders = createSenders();
    let hungUp = 0;
    const line = { silentMs: () => 0, hangUp: () => void (hungUp += 1), rest: () => undefined };
    const older = senders.start('a', 1, line);
    const newer = senders.start('a', 2, line);
    expect([older.superseded, newer.superseded, hungUp]).toEqual([true, false, 1]);
    older[Symbol.dispose]();
    expect(() => senders.start('a', 1, line)).toThrow(expect.objectContaining({ code: 'upload_offset' }));
  });
});
