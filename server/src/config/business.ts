import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Business } from '@feierbild/contract/calls/site.ts';
import { germanIssue } from '../lib/german-issues.ts';

const DEFAULT_BUSINESS = join(import.meta.dirname, 'business.default.json');

/** The operator's data, or null with the reasons in `mistakes`. Unknown keys are reported in `warnings`. */
export function readBusiness(file: string | undefined, mistakes: string[], warnings: string[]): Business | null {
  const path = file ?? DEFAULT_BUSINESS;
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    mistakes.push(`BUSINESS_FILE: ${path} ${unreadable(error as NodeJS.ErrnoException)}`);
    return null;
  }
  const result = Business.safeParse(json, { error: germanIssue });
  if (!result.success) {
    for (const issue of result.error.issues) mistakes.push(`BUSINESS_FILE: „${issue.path.join('.') || path}“: ${issue.message}`);
    return null;
  }
  for (const key of unknownKeys(json, result.data)) warnings.push(`BUSINESS_FILE: „${key}“ ist keine bekannte Angabe.`);
  return result.data;
}

function unreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'ist nicht in UTF-8 gespeichert. Speichern Sie die Datei in dieser Kodierung.';
  if (code !== undefined) return `ist nicht lesbar (${code}).`;
  // V8 says where it gave up, except at the end of the text.
  const [, line, column] = / \(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  const where = line === undefined ? 'endet zu früh oder ist kein' : `ist ab Zeile ${line}, Spalte ${column} kein gültiges`;
  return `${where} JSON. Oft fehlt davor ein Komma, ein Anführungszeichen oder eine Klammer, oder ein Komma ist zu viel.`;
}

/** Paths of the keys that the schema has left out. */
function unknownKeys(given: unknown, taken: unknown, path = ''): string[] {
  if (typeof given !== 'object' || given === null || typeof taken !== 'object' || taken === null) return [];
  return Object.entries(given).flatMap(([key, value]) =>
    key in taken ? unknownKeys(value, (taken as Record<string, unknown>)[key], `${path}${key}.`) : [path + key],
  );
}
