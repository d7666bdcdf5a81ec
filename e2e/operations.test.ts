import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, upload, type EventUnderTest } from './support/api.ts';
import { cli } from './support/cli.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';

describe("the operator's commands, while the server runs", () => {
  let server: TestServer;
  let event: EventUnderTest;
  let device: string;
  let seed = 0;
  const add = async (): Promise<string> => {
    const response = await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed++, 300, 200) });
    expect(response.status).toBe(201);
    return ((await response.json()) as { photo: { id: string } }).photo.id;
  };

  beforeAll(async () => {
    server = await startServer();
    event = await createEvent(await adminOf(server.url));
    device = await deviceOf(server.url);
    for (let n = 0; n < 3; n++) await add();
  });
  afterAll(() => server?.dispose());

  describe('verify', () => {
    it('says that all is well while photos come', async () => {
      let running = true;
      const send = async (): Promise<void> => {
        while (running) await add();
      };
      const check = async (): Promise<void> => {
        const found = await cli(server, ['verify']);
        running = false;
        expect(found).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(/^\d+ Fotos mit \d+ Dateien geprüft: alles in Ordnung\.\n$/),
        });
      };
      await Promise.all([send(), send(), check()]);
    });

    it("opens every byte with the host's password only", async () => {
      const opened = await cli(server, ['verify', '--event', event.code], [event.host.password]);
      expect(opened).toMatchObject({ code: 0, stderr: '' });
      const refused = await cli(server, ['verify', '--event', event.code], ['ABCD-EFGH-JKMN-PQRS']);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect((await cli(server, ['verify', '--alles'])).code).toBe(64);
    });

    it('names what is missing and ends with 1', async () => {
      const id = await add();
      const folder = join(server.dataDir, 'photos/events', event.id);
      for (const name of await readdir(folder)) if (name === `${id}.thumbnail`) await rm(join(folder, name));
      const { code, stdout } = await cli(server, ['verify']);
      expect([code, stdout.split('\n')[0]]).toEqual([1, `Foto ${id}: Miniatur fehlt`]);
    });
  });
});
