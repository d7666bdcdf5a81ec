import { createServer } from 'node:net';
import type { Config } from './config.ts';

/**
 * A line for each mistake in HOST and METRICS_HOST, found by listening there for a moment: only the system knows whether an address is its
 * own. `mayPass`: the address may become this machine's own, because interfaces may come up later than the service.
 */
export async function hostMistakes({ host, metrics }: Pick<Config, 'host' | 'metrics'>) {
  const named = { HOST: host, ...(metrics && { METRICS_HOST: metrics.host }) };
  const heard = Object.entries(named).map(async ([name, value]) => {
    const line = `${name}: „${value}“ ist weder eine Adresse noch ein Name dieses Rechners.`;
    const error = await listenAt(value);
    return error && { line, mayPass: isNotUpYet(error) };
  });
  return (await Promise.all(heard)).filter((mistake) => mistake !== null);
}

/** Whether listening failed at an address that no interface has at the moment. */
export function isNotUpYet(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall === 'listen' && code === 'EADDRNOTAVAIL';
}

function listenAt(host: string): Promise<Error | null> {
  return new Promise((known) => {
    const probe = createServer();
    probe.once('error', known);
    probe.listen(0, host, () => probe.close(() => known(null)));
  });
}
