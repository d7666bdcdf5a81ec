import type { FastifyBaseLogger } from 'fastify';

/** An outage counts as ended after this time without a refused request. */
const OUTAGE_QUIET_MS = 30_000;

interface Outage {
  began: number;
  refused: number;
  end: NodeJS.Timeout;
}

/** Logs outages of dependencies: one error when an outage begins, one info when it has ended. A line per request would flood the log. */
export function createOutages(log: FastifyBaseLogger, quietMs = OUTAGE_QUIET_MS) {
  const open = new Map<string, Outage>();

  function begin(dependency: string, error: unknown): void {
    log.error({ err: error, dependency }, 'outage began');
    const end = setTimeout(() => {
      const { began, refused } = open.get(dependency) as Outage;
      open.delete(dependency);
      log.info({ dependency, refused, seconds: Math.round((performance.now() - began - quietMs) / 1000) }, 'outage ended');
    }, quietMs).unref();
    open.set(dependency, { began: performance.now(), refused: 1, end });
  }

  return {
    /** A request was refused because of this dependency. */
    refused(dependency: string, error: unknown): void {
      const outage = open.get(dependency);
      if (!outage) return begin(dependency, error);
      outage.refused += 1;
      outage.end.refresh();
    },
    close(): void {
      for (const { end } of open.values()) clearTimeout(end);
      open.clear();
    },
  };
}
