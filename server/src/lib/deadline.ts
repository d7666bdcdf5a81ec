import { Unavailable } from './errors.ts';

/** Resolves like `work`; throws Unavailable if it takes longer than `ms`. The work itself is not stopped. */
export async function withDeadline<T>(work: Promise<T>, ms: number, dependency: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Unavailable(dependency, `no answer within ${ms} ms`)), ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
