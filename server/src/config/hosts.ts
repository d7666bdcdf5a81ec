import { createServer } from 'node:net';
import type { Config } from './config.ts';

/** What speaks against HOST or METRICS_HOST. */
interface HostMistake {
  line: string;
  /** Whether the address may become this machine's own: interfaces may come up later than the service. */
  mayPass: boolean;
}

/** Mistakes in HOST and METRICS_HOST, found by listening there for a moment: only the system knows whether an address is its own. */
export async function hostMistakes({ host, metrics }: Pick<Config, 'host' | 'metrics'>): Promise<HostMistake[]> {
  const named = { HOST: host, ...(metrics && { METRICS_HOST: metrics.host }) };
  const mistakes: HostMistake[] = [];
  for (const [name, value] of Object.entries(named)) {
    const error = await listenAt(value);
    if (error === null) continue;
    mistakes.push({ line: `${name}: „${value}“ ist weder eine Adresse noch ein Name dieses Rechners.`, mayPass: isNotUpYet(error) });
  }
  return mistakes;
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
