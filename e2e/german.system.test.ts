import type { Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createClient, createEvent, adminOf, type Client, type EventUnderTest } from './support/api.ts';
import { ADMIN, startServer, type TestServer } from './support/server.ts';

/** Inputs that most fields refuse. The last one is longer than any field takes, but short enough for a form. */
const WRONG = [undefined, null, {}, [], [{}], -1.5, 1e300, true, '', '%', 'x'.repeat(20_000)];
/** English answers that the specification prescribes. */
const SPECIFIED = new Set(['Invalid credentials']);
const ENGLISH = /\b(invalid|input|expected|received|too|must|required|unrecognized|undefined|string|number|object|error|the|is)\b/i;

describe('refusals of inputs', () => {
  let server: TestServer;
  let event: EventUnderTest;
  beforeAll(async () => {
    server = await startServer();
  });
  // Each test gets an event, because some calls act with any input, such as the one that gives the host another password.
  beforeEach(async () => {
    event = await createEvent(await adminOf(server.url));
  });
  afterAll(() => server?.dispose());

  /** Makes a client that is logged in as host and as administrator at once, so that only the inputs are wrong. */
  async function everybody(): Promise<Client> {
    const client = createClient(server.url);
    await client.json('POST', '/auth/admin/login', ADMIN, 200);
    await client.json('POST', '/auth/user/login', event.host, 200);
    return client;
  }
  const propertiesOf = (schema: z.ZodType): string[] => {
    const { properties, anyOf = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
      properties?: object;
      anyOf?: { properties?: object }[];
    };
    return Object.keys(properties ?? anyOf.find((one) => one.properties)?.properties ?? {});
  };

  const calls = (Object.entries(contract) as [string, Call][]).filter(([, { body, query }]) => body ?? query);
  it.each(calls)('%s answers any input in German', async (name, { body, query }) => {
    const [method = '', pattern = ''] = name.split(' ');
    const path = pattern.replace(':ref', event.code).replace(':id', event.id);
    const client = await everybody();
    const texts: string[] = [];
    const send = async (search: string, input: unknown): Promise<void> => {
      const answer = await client.request(path + search, {
        method,
        ...(body && { body: input === undefined ? '' : JSON.stringify(input), headers: { 'content-type': 'application/json' } }),
      });
      if (answer.status < 400) return;
      const { error, fields = {} } = (await answer.json()) as { error: string; fields?: Record<string, string> };
      texts.push(error, ...Object.values(fields));
    };
    if (body) for (const wrong of WRONG) await send('', wrong);
    for (const property of propertiesOf(body ?? (query as z.ZodType))) {
      for (const wrong of WRONG) {
        if (body) await send('', { [property]: wrong });
        else await send(`?${new URLSearchParams({ [property]: (JSON.stringify(wrong) ?? '').slice(0, 5_000) })}`, undefined);
      }
    }
    const found = new Set(texts.filter((text) => !SPECIFIED.has(text)));
    expect(found.size).toBeGreaterThan(0);
    for (const text of found) expect(text).not.toMatch(ENGLISH);
    expect(server.output()).not.toContain('the contract does not list');
  });
});
