// Whom a requirement of two-factor codes would lock out, as lines to read before it is confirmed.
import { plainText } from './sanitize.ts'

type Person = { readonly name: string; readonly email: string }

/** More are only counted. */
const MOST_NAMED = 20

export function lockedOutLines(people: readonly Person[]): readonly string[] {
  if (people.length === 0) return ['No one would be locked out']
  const more = people.length - MOST_NAMED
  return [
    'Locked out until they turn on two-factor codes:',
    ...people.slice(0, MOST_NAMED).map(({ name, email }) => `  ${plainText(name)} <${plainText(email)}>`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
