import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canMount } from './system.ts';

const IMAGE_BYTES = 16 * 1024 * 1024;

/**
 * Puts in a file's place what opens and cannot be read, as on a damaged disk: where there is one, the memory of the reading process, whose
 * first bytes give EIO; else a folder.
 */
export function damage(path: string): void {
  rmSync(path, { recursive: true, force: true });
  if (process.platform === 'linux') symlinkSync('/proc/self/mem', path);
  else mkdirSync(path);
}

/**
 * Mounts a disk over a folder, with the folder's content, on which the file system has lost where the bytes of these files and the names in
 * these folders are. Returns how to take it away, which brings the folder back as it was.
 */
export function damageDisk(folder: string, names: string[]): () => void {
  const place = mkdtempSync(join(tmpdir(), 'feierbild-image-'));
  const image = join(place, 'image');
  writeFileSync(image, '');
  truncateSync(image, IMAGE_BYTES);
  execFileSync('mke2fs', ['-q', '-F', '-t', 'ext4', '-d', folder, image], { stdio: 'ignore' });
  // The first block of the data, behind the end of any disk.
  for (const name of names)
    execFileSync('debugfs', ['-w', '-R', `set_inode_field "/${name}" block[5] 0x7fff0000`, image], { stdio: 'ignore' });
  execFileSync('mount', ['-t', 'ext4', '-o', 'loop', image, folder]);
  return () => {
    execFileSync('umount', [folder]);
    rmSync(place, { recursive: true, force: true });
  };
}

/** Whether `damageDisk` works here. Tests that need it are skipped elsewhere, which is said once. */
export function canDamageDisk(what: string): boolean {
  if (!canMount(what)) return false;
  const folder = mkdtempSync(join(tmpdir(), 'feierbild-damaged-'));
  try {
    damageDisk(folder, [])();
    return true;
  } catch {
    console.log(`skipped: ${what}; its tests need mke2fs, debugfs and loop devices`);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
