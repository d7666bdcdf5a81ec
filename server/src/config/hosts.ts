import { createServer } from 'node:net';
import type { Config } from './config.ts';

/** Mistakes in HOST and METRICS_HOST, found by listening there for a moment: only the system knows whether an address is its own. */
export async function hostMistakes({ host, metrics }: Config): Promise<string[]> {
  const named = { HOST: host, ...(metrics && { METRICS_HOST: metrics.host }) };
  const mistakes: string[] = [];
  for (const [name, value] of Object.entries(named)) {
    if (!(await isOurs(value))) mistakes.push(`${name}: „${value}“ ist weder eine Adresse noch ein Name dieses Rechners.`);
  }
  return mistakes;
}

function isOurs(host: string): Promise<boolean> {
  return new Promise((known) => {
    const probe = createServer();
    probe.once('error', () => known(false));
    probe.listen(0, host, () => probe.close(() => known(true)));
  });
}
