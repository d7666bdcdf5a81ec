import { expect, it } from 'vitest';
import { whyUnsent } from './transfer.ts';

/** Less than a file's first byte is waited for. */
const SOON_MS = 5_000;

it(
  'is not asked why a file was not sent once its run has ended, because another page waits for that end',
  { timeout: SOON_MS },
  async () => {
    // A cloud does not give the file's bytes.
    const never = Object.assign(new Blob(['a']), { slice: () => ({ arrayBuffer: () => new Promise(() => undefined) }) });
    const run = new AbortController();
    const end = whyUnsent(never, run.signal);
    run.abort();
    expect(await end).toMatchObject({ kind: 'unreached' });
  },
);
