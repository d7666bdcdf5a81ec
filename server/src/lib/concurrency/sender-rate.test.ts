import { expect, it } from 'vitest';
import { createSenderRate } from './sender-rate.ts';

it('counts many short waits like one long one, and lets bytes earn time again, up to the grace', () => {
  const rate = createSenderRate({ graceMs: 500, bytesPerMs: 64 });
  for (let i = 0; i < 4; i++) rate.count(100, 0);
  expect(rate.budgetMs()).toBe(100);
  rate.count(50, 6400);
  expect(rate.budgetMs()).toBe(150);
  rate.count(1000, 640);
  expect(rate.budgetMs()).toBe(10);
  rate.count(0, 1_000_000);
  expect(rate.budgetMs()).toBe(500);
});
