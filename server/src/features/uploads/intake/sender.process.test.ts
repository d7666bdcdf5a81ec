import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { budgetAfter, createSender } from './sender.ts';

const STALL_MS = 100;

describe('the sender of an upload', () => {
  let phone: Socket;
  let server: ReturnType<typeof createServer>;
  let socket: Socket;
  let hungUp: number;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    phone = connect((server.address() as AddressInfo).port, '127.0.0.1');
    [socket] = (await once(server, 'connection')) as [Socket];
    hungUp = 0;
  });
  afterEach(() => {
    phone.destroy();
    server.close();
  });

  function begin(): AsyncGenerator<Uint8Array> {
    const hangUp = (): void => {
      hungUp++;
      socket.destroy();
    };
    return createSender({ stallMs: STALL_MS, hangUp }).pieces(socket, 1000);
  }

  it('loses its connection when nothing came for long', async () => {
    await expect(begin().next()).rejects.toThrow('Premature close');
    expect(hungUp).toBe(1);
  });

  it('keeps its connection after a standstill of the server, when its bytes have arrived meanwhile', async () => {
    const piece = begin().next();
    await new Promise((resolve) => setImmediate(resolve));
    phone.write('abc');
    const until = performance.now() + 2 * STALL_MS;
    while (performance.now() < until);
    expect((await piece).value?.toString()).toBe('abc');
    expect(hungUp).toBe(0);
  });

  it('counts many short waits like one long one, and lets bytes earn time again, up to the grace', () => {
    let budgetMs = 500;
    for (let i = 0; i < 4; i++) budgetMs = budgetAfter(budgetMs, 100, 0);
    expect(budgetMs).toBe(100);
    expect((budgetMs = budgetAfter(budgetMs, 50, 6400))).toBe(150);
    expect((budgetMs = budgetAfter(budgetMs, 1000, 640))).toBe(10);
    expect(budgetAfter(budgetMs, 0, 1_000_000)).toBe(500);
  });
});
