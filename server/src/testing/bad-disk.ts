import { mkdirSync, rmSync, symlinkSync } from 'node:fs';

/**
 * Puts in a file's place what opens and cannot be read, as on a damaged disk: where there is one, the memory of the reading process, whose
 * first bytes give EIO; else a folder.
 */
export function damage(path: string): void {
  rmSync(path, { recursive: true, force: true });
  if (process.platform === 'linux') symlinkSync('/proc/self/mem', path);
  else mkdirSync(path);
}
