// What the git host says about the access of an account to a repository.

/** `unknown`: the platform has no token, or the token may not ask. */
export type WriteAccess = 'write' | 'none' | 'unknown'
