import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { wallQuery } from './remote-page.tsx';

describe("the remote's wall", () => {
  afterEach(() => vi.unstubAllGlobals());

  const client = new QueryClient();
  const query = wallQuery('ABCD2345');
  const known = (): number | undefined => client.getQueryData<{ version: number }>(query.queryKey)?.version;
  /** Reads the wall; the server answers with this version after `meanwhile`. */
  async function ask(version: number, meanwhile = (): void => undefined): Promise<void> {
    vi.stubGlobal('fetch', () => {
      meanwhile();
      return Promise.resolve(new Response(JSON.stringify({ version })));
    });
    await client.fetchQuery(query);
  }

  it('is that of a press whose answer overtook an older one', async () => {
    await ask(9);
    await ask(8, () => client.setQueryData(query.queryKey, { version: 10 } as never));
    expect(known()).toBe(10);
  });

  it('is the server’s after a backup was restored, which counts from an earlier number', async () => {
    await ask(9);
    await ask(4);
    expect(known()).toBe(4);
  });
});
