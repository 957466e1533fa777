// Short form of a commit sha.
export const shortSha = (sha: string): string => sha.slice(0, 7)
