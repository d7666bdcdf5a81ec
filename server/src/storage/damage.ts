/** Errors of a medium that does not give a file's bytes (a bad sector, a damaged file system), and of a folder in a file's place. */
const DAMAGED = new Set(['EIO', 'ENODATA', 'EISDIR']);
/** The same on ext4 and XFS, which Node has no names for: EUCLEAN and EBADMSG. */
const UNNAMED = new Set(['Unknown system error -117', 'Unknown system error -74']);

/** Tells whether an error of a file says that the medium does not give its bytes. */
export function isDamage(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return DAMAGED.has(code) || UNNAMED.has(code);
}
