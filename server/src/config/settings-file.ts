import { readFileSync } from 'node:fs';

/**
 * A line for each line of the file with settings that Node, which has read it before, has left out in silence. `known` are the
 * names that may be repeated: anything else on such a line may be part of a secret.
 */
export function strayLines(file: string, known: readonly string[]): string[] {
  const text = readFileSync(file, 'utf8');
  // A quoted value may have several lines.
  const flat = text.replaceAll(/=[ \t]*(["'`])[^]*?\1/g, (quoted) => `=${'\n'.repeat(quoted.split('\n').length - 1)}`);
  return flat.split(/\r?\n/).flatMap((line, n) => {
    if (/^\s*(#.*|(export\s+)?[\w.-]+\s*=.*)?$/.test(line)) return [];
    const name = known.find((one) => new RegExp(`^\\s*${one}\\b`).test(line));
    return [`${file}: Zeile ${n + 1}${name ? ` (${name})` : ''} hat nicht die Form NAME=Wert.`];
  });
}
