import { describe, expect, it } from 'vitest';
import type { Attempt } from '../item.ts';
import { runUploads } from './run.ts';

const noPause = async (): Promise<void> => undefined;

async function play(files: string[], send: (file: string, attempt: number) => Promise<Attempt<string>>) {
  const attempts = new Map<string, number>();
  const log: string[] = [];
  let inFlight = 0;
  let most = 0;
  const queue = [...files];
  const { pauseMs } = await runUploads<string, string>(
    {
      next: () => queue.shift(),
      async send(file) {
        attempts.set(file, (attempts.get(file) ?? 0) + 1);
        most = Math.max(most, ++inFlight);
        await new Promise((resolve) => setImmediate(resolve));
        const end = await send(file, attempts.get(file) as number);
        inFlight--;
        return end;
      },
      started: () => undefined,
      stored: (file) => void log.push(`stored ${file}`),
      failed: (file, _, { code }) => void log.push(`failed ${file} ${code}`),
    },
    new AbortController().signal,
    noPause,
  );
  return { attempts, log, most, pauseMs };
}

describe('a run of uploads', () => {
  it('has never more than six files in flight and sends each once', async () => {
    const files = Array.from({ length: 40 }, (_, n) => String(n));
    const { attempts, log, most } = await play(files, async (file) => ({ kind: 'stored', value: file }));
    expect(most).toBe(6);
    expect([...attempts.values()].every((count) => count === 1)).toBe(true);
    expect(log).toHaveLength(40);
  });

  it('tries four times, then marks the file and goes on with the others', async () => {
    const { attempts, log } = await play(['good', 'bad'], async (file) =>
      file === 'bad' ? { kind: 'unreached', code: 'no_connection', message: '' } : { kind: 'stored', value: file },
    );
    expect(attempts.get('bad')).toBe(4);
    expect(log.sort()).toEqual(['failed bad no_connection', 'stored good']);
  });

  it('takes a later attempt that works', async () => {
    const { log } = await play(['late'], async (_, attempt) =>
      attempt < 4 ? { kind: 'unreached', code: 'unavailable', message: '' } : { kind: 'stored', value: 'late' },
    );
    expect(log).toEqual(['stored late']);
  });

  it('spends one attempt on what is refused for good', async () => {
    const { attempts, log } = await play(['text'], async () => ({ kind: 'refused', code: 'not_a_photo', message: '' }));
    expect(attempts.get('text')).toBe(1);
    expect(log).toEqual(['failed text not_a_photo']);
  });

  it('tries no further file after three in a row that did not reach the server', async () => {
    const files = Array.from({ length: 40 }, (_, n) => String(n));
    const { log } = await play(files, async (file) =>
      Number(file) < 10 ? { kind: 'stored', value: file } : { kind: 'unreached', code: 'no_connection', message: '' },
    );
    // Ten arrived, three did not, and at most five were in flight meanwhile.
    expect(log.length).toBeGreaterThanOrEqual(13);
    expect(log.length).toBeLessThanOrEqual(18);
  });

  it('ends where the server asks to wait, and says how long', async () => {
    const files = Array.from({ length: 40 }, (_, n) => String(n));
    const { attempts, log, pauseMs } = await play(files, async () => ({
      kind: 'unreached',
      code: 'unavailable',
      message: '',
      pauseMs: 7000,
    }));
    expect(pauseMs).toBe(7000);
    expect(log).toHaveLength(6);
    expect(Math.max(...attempts.values())).toBe(1);
  });

  it('settles a file whose sending throws, and the others', async () => {
    const { log } = await play(['bad', 'good'], async (file) => {
      if (file === 'bad') throw new TypeError('broken');
      return { kind: 'stored', value: file };
    });
    expect(log.sort()).toEqual(['failed bad internal', 'stored good']);
  });
});
