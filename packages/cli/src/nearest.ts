// The name that the user most likely meant.
import { editDistance } from '@shipway/rules/did-you-mean'

/** Undefined if no name is near: at most a third of the letters may differ. */
export function nearest(wanted: string, names: readonly string[]): string | undefined {
  const small = wanted.toLowerCase().slice(0, MOST_LETTERS)
  const ranked = names
    .map((name) => ({ name, distance: editDistance(small, name.toLowerCase().slice(0, MOST_LETTERS)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(name.length, small.length) / 3)))
    .sort((one, other) => one.distance - other.distance)
  return ranked[0]?.name ?? names.find((name) => small.length >= 2 && name.toLowerCase().startsWith(small))
}

/** Longer names are compared by their beginning. */
const MOST_LETTERS = 60
