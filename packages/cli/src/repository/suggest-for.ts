// The `.service.yml` that would do for a working tree, and whether a deployment would then succeed.
import type { WorkingTree } from './open-tree.ts'

export type Suggested = {
  readonly content: string
  /** The file that it was made from; null where there is none to make it from. */
  readonly origin: string | null
  /** How many a deployment would still fail for. */
  readonly faults: number
}

export async function suggestFor(tree: WorkingTree): Promise<Suggested> {
  const { rules } = await import('./rules.ts')
  const contents = await rules.readContents(tree.read)
  const content = rules.suggestServiceFile(contents)
  const origin = contents.compose?.file ?? (contents.dockerfile ? 'Dockerfile' : null)
  const bytes = new TextEncoder().encode(content)
  const suggested = {
    links: tree.links,
    kindOf: tree.kindOf,
    read: async (path: string) => (path === '.service.yml' ? bytes : tree.read(path)),
  }
  const recipe = await rules.likelyRecipe(suggested)
  const { faults } = await rules.judgeRepository(suggested, { recipe })
  return { content, origin, faults: faults.length }
}
