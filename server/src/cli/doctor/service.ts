import { isIPv6 } from 'node:net';
import { line, reason, type Line } from './line.ts';

/** The service is on this machine and answers at once, or not at all, ms. */
const TIMEOUT_MS = 3_000;

/** Whether the service answers on this machine. */
export async function checkService({ host, port }: { host: string; port: number }): Promise<Line> {
  const everywhere = host === '0.0.0.0' || host === '::';
  const address = everywhere ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${address}:${port}/health`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await answer.text();
    if (answer.status === 200 && body.includes('"ok"')) return line('Dienst', 'gut', `Der Dienst läuft auf Port ${port}.`);
    return line('Dienst', 'Achtung', `Auf Port ${port} antwortet etwas anderes (Status ${answer.status}). Prüfen Sie PORT.`);
  } catch (error) {
    return line(
      'Dienst',
      'Achtung',
      `Der Dienst antwortet nicht auf Port ${port} (${reason(error)}). Starten Sie ihn: npm start, oder aus dem Paket: systemctl start feierbild.`,
    );
  }
}
