import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from './app.ts';
import { EXIT_CONFIG, hostMistakes, ownConfig } from './config/config.ts';
import { serveMetrics } from './http/meter.ts';
import { createLog } from './lib/log.ts';
import { createServices } from './services.ts';
import { networkAddress, networkLines, ownAddress } from './network-lines.ts';
import { explainFailure, isTemporary } from './trouble.ts';
import { firstLogin, startLines } from './start-lines.ts';

/** sysexits.h EX_TEMPFAIL: a service manager should try again. */
const EXIT_TEMPORARY = 75;
const PAGES = {
  folder: join(import.meta.dirname, '../../web/dist'),
  renderer: join(import.meta.dirname, '../../web/dist-render/prerender.js'),
};

const { config, warnings } = ownConfig();
for (const warning of warnings) console.error(`Hinweis: ${warning}`);
const strange = await hostMistakes(config);
if (strange.length > 0) {
  for (const { line } of strange) console.error(line);
  process.exit(strange.every(({ mayPass }) => mayPass) ? EXIT_TEMPORARY : EXIT_CONFIG);
}
const log = createLog(config.logLevel).child({ node: config.nodeName });

try {
  const services = await createServices(config, log);
  const address = ownAddress(config);
  // The password is never shown again, so it is printed before anything can fail (for example because the port is in use).
  const { generatedPassword } = services;
  if (generatedPassword) for (const line of firstLogin(config.adminUsername, generatedPassword, address)) console.log(line);
  const app = await createApp(services, PAGES);

  const monitor = services.metrics && config.metrics ? await serveMetrics(services.metrics, config.metrics) : null;

  let signals = 0;
  const skip = new AbortController();
  /**
   * Ends the process: on SIGTERM everything is still served for the delay, so that proxies notice in time; on SIGINT (Ctrl-C on a
   * terminal) there is none. Then running requests come to their end, and new ones get 503. The exit code is 0, or 1 if a request was cut.
   * A second signal skips the delay, a third one ends at once.
   */
  const end = async (delayMs: number): Promise<void> => {
    signals += 1;
    if (signals === 2) skip.abort();
    if (signals > 2) process.exit(1);
    if (signals > 1) return;
    services.site.node.drain();
    services.end();
    await sleep(delayMs, undefined, { signal: skip.signal }).catch(() => undefined);
    setTimeout(() => process.exit(1), config.shutdownTimeoutMs).unref();
    await app.close();
    await services.close();
    monitor?.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void end(config.shutdownDelayMs));
  process.on('SIGINT', () => void end(0));

  await app.listen({ port: config.port, host: config.host });
  services.retention.start();
  services.dueApprovals.start();
  services.demo.start();
  services.outbox.start();
  services.webhooks.start();
  for (const line of await startLines(services, address)) console.log(line);
  const inNetwork = networkAddress(config, networkInterfaces());
  for (const line of networkLines(address, inNetwork, process.stdout.isTTY)) console.log(line);
} catch (error) {
  const failure = explainFailure(error, config);
  if (failure !== null) {
    console.error(failure);
    process.exit(isTemporary(error) ? EXIT_TEMPORARY : EXIT_CONFIG);
  }
  log.fatal({ err: error }, 'start failed');
  console.error('Feierbild konnte nicht starten:', error instanceof Error ? error.message : error);
  process.exit(1);
}
