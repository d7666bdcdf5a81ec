import { expect, it } from 'vitest';
import { free, handOver } from './buffer-handover.ts';

it('frees the memory of what was handed over, by any part of it, once', () => {
  const before = process.memoryUsage().arrayBuffers;
  const piece = handOver(Buffer.alloc(50_000_000, 7));
  const part = piece.subarray(10, 20);
  free(part);
  expect([piece.length, part.length]).toEqual([0, 0]);
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(before + 1_000_000);
  free(piece);
});

it('leaves alone what nobody handed over, and what shares its memory with others', () => {
  const kept = Buffer.from('kept');
  free(kept);
  const large = Buffer.alloc(1000, 'x');
  const part = handOver(large.subarray(0, 10));
  free(part);
  expect([kept.toString(), large.length, part.toString()]).toEqual(['kept', 1000, 'xxxxxxxxxx']);
});
