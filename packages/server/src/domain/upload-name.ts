// Names of environments of `shipway up`: `up-{user}-{branch}`, as the first label of a domain.

const MOST_CHARACTERS = 50
const MOST_USER_CHARACTERS = 16
/** Room for `-9`. */
const MOST_SUFFIX_CHARACTERS = 2

/** Names in the order of preference. The later ones are for a name that another environment has: names of users are not unique. */
export function uploadNames({ user, branch }: { readonly user: string; readonly branch: string }): readonly string[] {
  const start = `up-${labelOf(user, MOST_USER_CHARACTERS) || 'user'}`
  const rest = labelOf(branch, MOST_CHARACTERS - MOST_SUFFIX_CHARACTERS - start.length - 1) || 'branch'
  const name = `${start}-${rest}`
  return [name, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${name}-${number}`)]
}

/** Letters without their accents; everything else becomes a single hyphen. */
function labelOf(text: string, most: number): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, most)
    .replace(/-$/, '')
}
