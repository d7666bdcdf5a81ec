import { isIPv6 } from 'node:net';
import { START } from '../../lib/release.ts';
import { line, reason, type Line } from './line.ts';

/** The service is on this machine and answers at once, or not at all, ms. */
const TIMEOUT_MS = 3_000;

const NOT_READY = 'Auf der Platte für Uploads fehlt Platz, die Decoder starten nicht, oder er endet gerade. Das Log sagt es („not ready“).';

/** Whether the service answers on this machine. */
export async function checkService({ host, port }: { host: string; port: number }): Promise<Line> {
  const everywhere = host === '0.0.0.0' || host === '::';
  const address = everywhere ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host;
  try {
    const ask = (path: string) =>
      fetch(`http://${address}:${port}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const answer = await ask('/health');
    const body = await answer.text();
    if (answer.status === 200 && body.includes('"ok"')) {
      if ((await ask('/ready')).ok) return line('Dienst', 'gut', `Der Dienst läuft auf Port ${port}.`);
      return line('Dienst', 'Achtung', `Der Dienst läuft auf Port ${port}, ist aber nicht bereit (/ready): ${NOT_READY}`);
    }
    return line('Dienst', 'Achtung', `Auf Port ${port} antwortet etwas anderes (Status ${answer.status}). Prüfen Sie PORT.`);
  } catch (error) {
    return line('Dienst', 'Achtung', `Der Dienst antwortet nicht auf Port ${port} (${reason(error)}). Starten Sie ihn: ${START}.`);
  }
}
