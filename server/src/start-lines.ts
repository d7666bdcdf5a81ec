import type { Parts } from './services.ts';

interface Shown {
  admins: Pick<Parts['admins'], 'initialPasswordInUse'>;
  installation: Omit<Parts['installation'], 'freeBytes'>;
  site: { node: Pick<Parts['site']['node'], 'checkReady'> };
}

/**
 * How to log in for the first time: the only place where a generated password is ever shown. It is in use already, so print
 * it before anything can fail.
 */
export function firstLogin(username: string, password: string, address: string): string[] {
  return [
    `Erste Anmeldung unter ${address}/admin: Benutzername „${username}“, Passwort „${password}“.`,
    'Dieses Passwort wird nur jetzt angezeigt.',
  ];
}

/** Lines for the operator after the start. A hint that cannot be read now is left out, because the node serves already. */
export async function startLines({ admins, installation, site }: Shown, address: string): Promise<string[]> {
  const lines = [`Feierbild läuft: ${address}`];
  const noRoom = 'Hinweis: Für Uploads fehlt Platz auf der Platte (STAGING_ROOM_MB); bis er da ist, antwortet /ready mit 503.';
  await site.node.checkReady().catch(() => lines.push(noRoom));
  if (await admins.initialPasswordInUse().catch(() => false))
    lines.push('Hinweis: Das erste Verwaltungspasswort ist noch in Gebrauch. Bitte ändern Sie es.');
  if (installation.defaultBusiness())
    lines.push('Hinweis: Es sind die Daten des Beispielbetriebs eingetragen. Ihre tragen Sie in der Verwaltung ein (/admin).');
  if (!installation.https)
    lines.push('Hinweis: PUBLIC_URL ist keine https-Adresse; außerhalb des eigenen Netzes bitte nur hinter https betreiben.');
  if (!installation.decoderIsolated) lines.push('Hinweis: Decoder nicht isoliert (bubblewrap ist auf diesem System nicht verfügbar).');
  return lines;
}
