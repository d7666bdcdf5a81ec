import { HEALTH, type Finding, type Question } from './features/health/health.ts';
import type { Features } from './wiring.ts';

interface Shown {
  health: Pick<Features['health'], 'facts'>;
  site: { node: Pick<Features['site']['node'], 'checkReady'> };
}

/** Describes the first login. A generated password is shown here alone. It is in use already, so print it before anything can fail. */
export function firstLogin(username: string, password: string, address: string): string[] {
  return [
    `Erste Anmeldung unter ${address}/admin: Benutzername „${username}“, Passwort „${password}“.`,
    'Dieses Passwort wird nur jetzt angezeigt.',
  ];
}

/** Returns lines for the operator after the start. A hint that cannot be read now is left out, because the node serves already. */
export async function startLines({ health, site }: Shown, address: string): Promise<string[]> {
  const lines = [`Feierbild läuft: ${address}`];
  const noRoom = 'Hinweis: Für Uploads fehlt Platz auf der Platte (STAGING_ROOM_MB); bis er da ist, antwortet /ready mit 503.';
  await site.node.checkReady().catch(() => lines.push(noRoom));
  const facts = health.facts();
  for (const { ask } of [HEALTH['first-password'], HEALTH.business, HEALTH.https, HEALTH.isolation, HEALTH['left-behind']] as Question[]) {
    const { severity, hint } = await Promise.resolve(ask(facts)).catch((): Partial<Finding> => ({}));
    if (severity !== 'good' && hint !== undefined) lines.push(`Hinweis: ${hint}`);
  }
  return lines;
}
