// Looks for secrets in anything that can be read, in every form in which a value can stand there.
import { createMask } from '../../packages/server/src/secrets/mask.ts'

export type Finder = {
  /** The names of the secrets that are shown there. */
  find(where: Buffer | string): readonly string[]
}

export function createFinder(secrets: ReadonlyMap<string, string>): Finder {
  const all = createMask(secrets.values())
  const each = new Map([...secrets].map(([name, value]) => [name, createMask([value])]))
  return {
    find: (where) => {
      const bytes = Buffer.from(where)
      if (!shows(all, bytes)) return []
      return [...each].filter(([, mask]) => shows(mask, bytes)).map(([name]) => name)
    },
  }
}

function shows(mask: ReturnType<typeof createMask>, bytes: Buffer): boolean {
  const stream = mask.stream()
  return [...stream.write(bytes), ...stream.end()].some(({ isHidden }) => isHidden)
}
