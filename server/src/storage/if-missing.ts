/** Makes a handler for the `catch` of a call on files: returns `instead` for a missing file, throws other errors. */
export function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}
