// All that is wrong with a commit is told at once: a check that fails before the compose files are looked at tells their faults too.
import { findComposeSource } from '@shipway/rules/service-file/find-compose-source'
import { type DockerConfig, RepositoryConfigFault } from '@shipway/rules/service-file/repository-config'
import type { Deployment } from '../../../deployment/deployment.ts'
import { ChecksFailed, StepFault } from '../../../domain/tasks/step-fault.ts'
import type { RecipeContext } from '../../recipe-context.ts'
import { foreseenFaults, openCommit, readFilesOf } from './commit-files.ts'

/** `config` is null where `.service.yml` is what is wrong: the compose file is looked for under the usual names then. */
type OfCommit = { readonly deployment: Deployment; readonly sha: string; readonly config: DockerConfig | null }

export async function withOtherFaults<T>(context: RecipeContext, what: OfCommit, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof RepositoryConfigFault || (error instanceof StepFault && error.kind === 'check'))) throw error
    const others = await faultsOfFiles(context, what)
    if (others.length === 0) throw error
    throw ChecksFailed([...error.message.split('\n'), ...others])
  }
}

async function faultsOfFiles(
  context: RecipeContext,
  { deployment, sha, config }: OfCommit,
): Promise<readonly string[]> {
  const commit = await openCommit(context, { deployment, sha })
  const source = config?.source ?? (await findComposeSource(commit.read))
  if (source?.type !== 'compose') return []
  const { services = [], profiles = [] } = config ?? {}
  const reading = { files: source.files, profiles, services, deployment }
  return foreseenFaults(commit, await readFilesOf(commit, reading), reading)
}
