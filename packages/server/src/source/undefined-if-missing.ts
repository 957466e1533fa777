// For reading files that may not exist or may disappear.

/** Turns a missing file into undefined; rethrows everything else. */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
