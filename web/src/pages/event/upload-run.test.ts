import { describe, expect, it } from 'vitest';
import { isFinal, runUploads, type Attempt } from './upload-run.ts';

const noPause = async (): Promise<void> => undefined;

async function play(files: string[], send: (file: string, attempt: number) => Promise<Attempt<string>>) {
  const attempts = new Map<string, number>();
  const log: string[] = [];
  let inFlight = 0;
  let most = 0;
  await runUploads<string, string>(
    files,
    async (file) => {
      attempts.set(file, (attempts.get(file) ?? 0) + 1);
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      const end = await send(file, attempts.get(file) as number);
      inFlight--;
      return end;
    },
    {
      started: () => undefined,
      stored: (file) => log.push(`stored ${file}`),
      failed: (file, _, { code }) => log.push(`failed ${file} ${code}`),
    },
    noPause,
  );
  return { attempts, log, most };
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
    expect([400, 403, 413, 415, 507].every(isFinal)).toBe(true);
    expect([0, 429, 500, 503].some(isFinal)).toBe(false);
  });
});
