// A commit by as much of its name as people read.
export const shortSha = (sha: string): string => sha.slice(0, 7)
