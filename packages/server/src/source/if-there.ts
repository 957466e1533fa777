// For reading files that may go, or not be there at all.

/** Nothing, where there is no such file. */
export function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
