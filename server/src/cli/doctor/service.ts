import { isIPv6 } from 'node:net';
import { START } from '../../lib/release.ts';
import { caution, good, reason, type Check } from './line.ts';

/** The service is on this machine and answers at once, or not at all, ms. */
const TIMEOUT_MS = 3_000;

const NOT_READY = 'Auf der Platte für Uploads fehlt Platz, die Decoder starten nicht, oder er endet gerade. Das Log sagt es („not ready“).';

/** Whether the service answers on this machine. */
export const checkService: Check = async function* ({ config: { host, port } }) {
  const everywhere = host === '0.0.0.0' || host === '::';
  const address = everywhere ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host;
  const ask = (path: string) => fetch(`http://${address}:${port}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  try {
    const answer = await ask('/health');
    const body = await answer.text();
    if (answer.status !== 200 || !body.includes('"ok"'))
      yield caution('Dienst', `Auf Port ${port} antwortet etwas anderes (Status ${answer.status}). Prüfen Sie PORT.`);
    else if ((await ask('/ready')).ok) yield good('Dienst', `Der Dienst läuft auf Port ${port}.`);
    else yield caution('Dienst', `Der Dienst läuft auf Port ${port}, ist aber nicht bereit (/ready): ${NOT_READY}`);
  } catch (error) {
    yield caution('Dienst', `Der Dienst antwortet nicht auf Port ${port} (${reason(error)}). Starten Sie ihn: ${START}.`);
  }
};
