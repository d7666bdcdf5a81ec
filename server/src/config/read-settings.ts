import { readFileSync } from 'node:fs';
import { SECRETS, Settings, type SettingName } from './settings.ts';

/** Read by the scripts that start the server. */
const SETTINGS_FILE = 'SETTINGS_FILE';
/** All known names. */
const KNOWN = [...Object.keys(Settings.shape), ...SECRETS.map((name) => `${name}_FILE`), SETTINGS_FILE];

/**
 * Reads the known settings as text, without empty ones. A secret may also be in the file named by NAME_FILE. Unreadable files are reported
 * in `mistakes`.
 */
export function readSettings(env: NodeJS.ProcessEnv, mistakes: string[]): Partial<Record<SettingName, string>> {
  const settings: Partial<Record<SettingName, string>> = {};
  for (const name of Object.keys(Settings.shape) as SettingName[]) {
    const secret = SECRETS.includes(name);
    // Spaces around a password may belong to it.
    const value = (secret ? env[name] : env[name]?.trim()) || (secret ? fromFile(name, env, mistakes) : undefined);
    if (value) settings[name] = value;
  }
  return settings;
}

function fromFile(name: string, env: NodeJS.ProcessEnv, mistakes: string[]): string | undefined {
  const file = env[`${name}_FILE`]?.trim();
  if (!file) return undefined;
  try {
    const value = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .replace(/\r?\n$/, '');
    if (value === '') mistakes.push(`${name}_FILE: ${file} ist leer.`);
    return value;
  } catch (error) {
    mistakes.push(`${name}_FILE: ${file} ist nicht lesbar (${(error as NodeJS.ErrnoException).code ?? 'unbekannt'}).`);
    return undefined;
  }
}

/**
 * Reports each line of the file of settings that Node has silently ignored, and in `warnings` each known setting of which it has cut off
 * the end. Only KNOWN names are repeated: anything else on such a line may be part of a secret.
 */
export function strayLines(file: string, warnings: string[]): string[] {
  const text = readFileSync(file, 'utf8');
  // A quoted value may have several lines. The space stands for it: a comment may follow at once.
  const flat = text.replaceAll(/=[ \t]*(["'`])[^]*?\1/g, (quoted) => `= ${'\n'.repeat(quoted.split('\n').length - 1)}`);
  return flat.split(/\r?\n/).flatMap((line, n) => {
    // Node takes the mark for a part of the name.
    if (/^\uFEFF\s*[^#\s]/.test(line))
      return [
        `${file}: Zeile 1 gilt nicht, weil die Datei mit einer unsichtbaren Marke (BOM) beginnt. Speichern Sie sie als UTF-8 ohne BOM.`,
      ];
    const name = KNOWN.find((one) => new RegExp(`^\\s*(export\\s+)?${one}\\b`).test(line));
    // To Node, `#` begins a comment even within a word.
    if (name !== undefined && /^[\w\s]*=(?!\s*["'`])([^#]*[^#\s])?#/.test(line))
      warnings.push(
        `${file}: Zeile ${n + 1} (${name}): Was hinter # steht, gilt nicht. Gehört es zum Wert, setzen Sie ihn in Anführungszeichen; sonst setzen Sie ein Leerzeichen davor.`,
      );
    if (/^\s*(#.*|(export\s+)?[\w.-]+\s*=.*)?$/.test(line)) return [];
    return [`${file}: Zeile ${n + 1}${name ? ` (${name})` : ''} hat nicht die Form NAME=Wert.`];
  });
}

/** Reports each name in the environment that is probably a misspelt setting. */
export function misspelt(env: NodeJS.ProcessEnv): string[] {
  const lines: string[] = [];
  for (const name of Object.keys(env)) {
    if (KNOWN.includes(name)) continue;
    const meant = KNOWN.find((known) => isNear(name, known));
    if (meant) lines.push(`${name} ist keine Einstellung. Ist ${meant} gemeint?`);
  }
  return lines;
}

/** Least length of compared names; shorter ones resemble too many others: PORT and HOST resemble PATH and HOME. */
const MIN_LENGTH = 6;
const MAX_EDITS = 2;

function isNear(name: string, known: string): boolean {
  const bare = (text: string): string =>
    text
      .toUpperCase()
      .replace(/^FEIERBILD_/, '')
      .replaceAll(/[-_]/g, '');
  if (bare(name) === bare(known)) return true;
  return known.length >= MIN_LENGTH && Math.abs(name.length - known.length) <= MAX_EDITS && edits(name, known) <= MAX_EDITS;
}

/** Computes the Levenshtein distance: letters */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries())
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
}
