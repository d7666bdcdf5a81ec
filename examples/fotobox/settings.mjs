import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Misconfigured } from './misconfigured.mjs';

export const USAGE = `FOTOBOX_PASSWORT=… node fotobox.mjs --server https://… --event ABCD2345 --folder ./bilder [--name Fotobox] [--link-datei PFAD] [--qr-sofort] [--ruhe SEKUNDEN]`;

/** Reads the settings; throws Misconfigured with all mistakes at once. The password is never an argument, because anyone can list those. */
export function readSettings(args, env) {
  const values = parse(args);
  const mistakes = [];
  const server = values.server?.replace(/\/+$/, '') ?? '';
  if (!/^https?:$/.test(URL.canParse(server) ? new URL(server).protocol : ''))
    mistakes.push('--server fehlt oder ist keine Adresse mit https://');
  const event = values.event?.replace(/[\s-]/g, '').toUpperCase() ?? '';
  if (!event) mistakes.push('--event (der Code des Events) fehlt');
  const folder = resolve(values.folder ?? '');
  if (!values.folder || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) mistakes.push('--folder fehlt oder ist kein Ordner');
  const stillMs = Number(values.ruhe) * 1000;
  if (!(stillMs >= 0 && stillMs <= 3_600_000)) mistakes.push('--ruhe ist keine Zahl von 0 bis 3600');
  const password = env.FOTOBOX_PASSWORT ?? '';
  if (!password) mistakes.push('Die Umgebungsvariable FOTOBOX_PASSWORT fehlt');
  if (mistakes.length > 0) throw new Misconfigured(`${mistakes.join('. ')}.\n${USAGE}`);
  const linkFile = values['link-datei'] ? resolve(values['link-datei']) : null;
  return { server, event, folder, password, deviceName: values.name, linkFile, linkFirst: values['qr-sofort'], stillMs };
}

function parse(args) {
  try {
    const text = { type: 'string' };
    const options = {
      server: text,
      event: text,
      folder: text,
      name: { ...text, default: 'Fotobox' },
      'link-datei': text,
      ruhe: { ...text, default: '0' },
    };
    const flags = { 'qr-sofort': { type: 'boolean', default: false } };
    return parseArgs({ args, options: { ...options, ...flags } }).values;
  } catch (error) {
    throw new Misconfigured(`${error.message}\n${USAGE}`);
  }
}
