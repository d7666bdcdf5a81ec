import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createLog } from './log.ts';

function lineOf(work: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const written = new PassThrough();
  work(createLog('info', written));
  return JSON.parse(String(written.read())) as Record<string, unknown>;
}

it.each([
  ['did you forget it in the "/event/K7P2QX9M?password=Lampion-9" (GET)?', 'did you forget it in the "/event/:code" (GET)?'],
  ['GET https://fotos.beispiel.de/api/photos/temp_download/geheim 404', 'GET /api/photos/temp_download/:token 404'],
  ['no answer from fotos.beispiel.de/event/K7P2QX9M?password=Lampion-9', 'no answer from /event/:code'],
  [
    'proxy: knoten-1:8080/api/photos/temp_download/geheim and [::1]:8080/event/K7P2QX9M',
    'proxy: /api/photos/temp_download/:token and /event/:code',
  ],
  ['/API/Events/K7P2QX9M/gibt-es-nicht', '/API/…'],
  ['/agb?name=Anna and /tippfehler?password=x', '/agb and /tippfehler'],
  [
    'at read (file:///srv/server/src/features/uploads/uploads.ts:10:2)',
    'at read (file:///srv/server/src/features/uploads/uploads.ts:10:2)',
  ],
])('of the message %s it writes %s', (message, written) => {
  expect(lineOf((log) => log.warn(message)).msg).toBe(written);
  expect(lineOf((log) => log.error({ err: new Error(message) })).err).toMatchObject({ message: written });
});

it('writes levels by name, and of an error no rows of the database', () => {
  const error = Object.assign(new Error('violates a constraint'), { code: '23514', detail: 'Failing row contains (Anna, Lampion-9).' });
  const line = lineOf((log) => log.error({ err: error }, 'request failed'));
  expect(line).toMatchObject({ level: 'error', err: { type: 'Error', message: error.message, code: '23514' } });
  expect(JSON.stringify(line)).not.toContain('Lampion-9');
});
