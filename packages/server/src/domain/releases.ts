// Compares releases: `v1.15.0`, `1.16.2+bb5c3621a`. What follows a plus sign is a build of the same release.

export function isOlderRelease(release: string, other: string): boolean {
  const [one, two] = [partsOf(release), partsOf(other)]
  const index = one.findIndex((part, position) => part !== two[position])
  return index !== -1 && (one[index] ?? 0) < (two[index] ?? 0)
}

function partsOf(release: string): readonly number[] {
  const [, major = '', minor = '', patch = ''] = /^v?([0-9]+)\.([0-9]+)\.([0-9]+)(?:\+|$)/.exec(release) ?? []
  if (major === '') throw new Error(`${JSON.stringify(release)} is no release, such as 1.15.0`)
  return [major, minor, patch].map(Number)
}
