// Guesses the recipe of a repository. An environment has its own recipe, and a repository may support both.
import type { Recipe } from '@shipway/api/values/recipe'
import { type CommitTree, rankComposeFiles } from './find-compose-files.ts'
import { RepositoryConfigFault } from './repository-config.ts'
import { keyText, parseRepositoryYaml } from './repository-yaml.ts'

/** By the sections of `.service.yml`; docker if it has both or none, unless there is nothing for Docker to build or run. */
export async function likelyRecipe(tree: CommitTree): Promise<Recipe> {
  const content = await tree.read('.service.yml')
  const sections = content instanceof Uint8Array ? sectionsOf(content) : []
  if (sections.includes('docker')) return 'docker'
  if (sections.includes('manual')) return 'manual'
  if (content !== undefined) return 'docker'
  const { usual, others } = await rankComposeFiles(tree)
  for (const path of [...usual, 'Dockerfile']) if ((await tree.read(path)) !== undefined) return 'docker'
  return others.length > 0 ? 'docker' : 'manual'
}

function sectionsOf(content: Uint8Array): readonly (string | undefined)[] {
  try {
    return parseRepositoryYaml(content).root.items.map(({ key }) => keyText(key))
  } catch (error) {
    if (error instanceof RepositoryConfigFault) return []
    throw error
  }
}
