// Checks a repository by the platform's rules. Shared by `shipway check` and the MCP tool.
import type { Recipe } from '@shipway/api/values/recipe'
import type { RuntimeName } from '@shipway/api/values/runtime'
import { openRepository, type Repository } from './find-repository.ts'
import { findUncommitted, type Uncommitted } from './find-uncommitted.ts'
import type { Finding } from './format-findings.ts'

export type CheckedRepository = Repository & {
  readonly recipe: Recipe
  readonly runtime: RuntimeName
  readonly findings: readonly Finding[]
  readonly uncommitted: readonly Uncommitted[]
}

type CheckOptions = {
  /** By default the one that `.service.yml` has a section for. */
  readonly recipe: Recipe | undefined
  /** Of the server; by default one machine. */
  readonly runtime: RuntimeName | undefined
  readonly signal: AbortSignal
}

/** As one value, since the MCP server is a part of the program of its own and would contain the rules a second time. */
export type CheckFolder = (folder: string, options: CheckOptions) => Promise<CheckedRepository>

export const checkFolder: CheckFolder = async (folder, options) =>
  checkRepository(await openRepository(folder, options.signal), options)

export async function checkRepository(
  repository: Repository,
  { recipe: wanted, runtime = 'compose', signal }: CheckOptions,
): Promise<CheckedRepository> {
  const { folder, tree, by } = repository
  const { rules } = await import('./rules.ts')
  const recipe = wanted ?? (await rules.likelyRecipe(tree))
  const { faults, remarks, later } = await rules.checkRepositoryFiles(tree, { recipe, runtime })
  const findings: readonly Finding[] = [
    ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
    ...remarks.map((remark) => ({ ...remark, kind: 'note' as const })),
    ...later.map((remark) => ({ ...remark, kind: 'later' as const })),
  ]
  const uncommitted = by === 'git' ? await findUncommitted(tree.seen, { folder, signal }) : []
  return { ...repository, recipe, runtime, findings, uncommitted }
}
