import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../server/src/testing/system.ts';
import { adminOf, createEvent, deviceOf, upload } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { tusDevice } from './support/tus.ts';
import { startServer, type TestServer } from './support/server.ts';

let server: TestServer;
let metrics: string;
beforeAll(async () => {
  const port = await freePort();
  metrics = `http://127.0.0.1:${port}/metrics`;
  server = await startServer({ METRICS_PORT: String(port) });
});
afterAll(() => server?.dispose());

it('metrics contain uploads, requests, decoders and totals, and nothing about people or events', async () => {
  const event = await createEvent(await adminOf(server.url));
  const device = await deviceOf(server.url);
  const file = await drawPhoto(1, 300, 200);
  const statuses: number[] = [];
  for (const bytes of [file, file, Buffer.from('kein Foto')]) {
    statuses.push((await upload({ url: server.url, code: event.code, device, file: bytes, deviceName: 'Rosalinde' })).status);
  }
  statuses.push((await upload({ url: server.url, code: 'ZZZZZZZZ', device, file })).status);
  expect(statuses).toEqual([201, 200, 415, 404]);

  // This upload stays incomplete.
  const tus = tusDevice(device);
  expect((await tus.create(server.url, 'ZZZZZZZZ', 200_000)).status).toBe(404);
  const path = (await tus.create(server.url, event.code, 200_000)).headers.get('location');
  expect((await tus.append(server.url + path, 0, Buffer.alloc(100_000))).status).toBe(204);

  const answer = await fetch(metrics);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  const value = (series: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? Number.NaN : Number(line.slice(series.length + 1));
  };
  expect(value('feierbild_uploads_total{result="stored",code=""}')).toBe(1);
  expect(value('feierbild_uploads_total{result="repeated",code=""}')).toBe(1);
  expect(value('feierbild_uploads_total{result="refused",code="not_a_photo"}')).toBe(1);
  expect(value('feierbild_uploads_total{result="refused",code="event_not_found"}')).toBe(2);
  expect(value('feierbild_requests_total{method="POST",route="/upload",status="2xx"}')).toBe(2);
  expect(value('feierbild_requests_total{method="POST",route="/upload",status="4xx"}')).toBe(2);
  expect(value('feierbild_request_duration_seconds_count{method="POST",route="/upload"}')).toBe(4);
  expect(value('feierbild_decoder_runs_total{kind="decode",outcome="done"}')).toBe(1);
  expect(value('feierbild_decoder_runs_total{kind="decode",outcome="not_a_photo"}')).toBe(1);
  expect([value('feierbild_events'), value('feierbild_photos'), value('feierbild_bytes')]).toEqual([1, 1, file.length]);
  const open = ['uploads', 'upload_parts', 'upload_bytes', 'upload_oldest_seconds'].map((name) => value(`feierbild_open_${name}`));
  expect(open.slice(0, 3)).toEqual([1, 1, 100_000]);
  expect(Math.abs(Date.now() / 1000 - (open[3] ?? 0))).toBeLessThan(60);
  expect(value('feierbild_queue_length{queue="uploads"}')).toBe(0);
  expect(value('feierbild_queue_length{queue="decoder_sharp"}')).toBe(0);
  expect(value('feierbild_memory_bytes{process="server"}')).toBeGreaterThan(30_000_000);
  expect(value('feierbild_memory_bytes{process="decoder_sharp"}')).toBeGreaterThan(30_000_000);
  expect([0, 1]).toContain(value('feierbild_decoder_isolated'));
  expect([value('feierbild_dependency_up{dependency="database"}'), value('feierbild_dependency_up{dependency="store"}')]).toEqual([1, 1]);
  expect(value('feierbild_store_duration_seconds_count{operation="put"}')).toBeGreaterThan(1);
  expect(value('feierbild_decoder_duration_seconds_count{kind="decode"}')).toBe(2);
  expect([value('feierbild_watchers'), value('feierbild_overdue_purges'), value('feierbild_clock_leapt')]).toEqual([0, 0, 0]);
  expect(value('feierbild_queue_length{queue="passwords"}')).toBe(0);
  expect(value('feierbild_event_loop_delay_p99_seconds')).toBeGreaterThan(0);
  expect(Math.abs(Date.now() / 1000 - value('feierbild_retention_last_success_seconds'))).toBeLessThan(60);
  for (const secret of [event.id, event.code, 'ZZZZZZZZ', device, 'Rosalinde', '127.0.0.1']) expect(text).not.toContain(secret);
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(value('nodejs_heap_size_used_bytes')).toBeGreaterThan(1_000_000);
  for (const line of text.split('\n').filter(Boolean))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? -?[\d.e+-]+)$/);
});

it('metrics are on their own port alone', async () => {
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  expect((await fetch(metrics.replace('/metrics', '/'))).status).toBe(404);
  expect((await fetch(metrics, { method: 'POST' })).status).toBe(404);
});
