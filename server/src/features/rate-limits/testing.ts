import type { LimitKey, LimitKind, RateLimits } from './rate-limits.ts';

/** For tests: fails one attempt; returns true for the one that uses up the window. Throws Refusal too_many_attempts. */
export function fail(limits: RateLimits, kind: LimitKind, ...key: LimitKey): Promise<boolean> {
  return limits.serialized(kind, key, async (attempt) => attempt.failed());
}
