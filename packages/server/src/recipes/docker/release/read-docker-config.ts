// Reads `.service.yml` and checks its domains. A failure also reports the faults of the compose files, so that users see all of them at once.

import type { CommitTree } from '@shipway/rules/service-file/find-compose-files'
import { findComposeSource } from '@shipway/rules/service-file/find-compose-source'
import { readContents } from '@shipway/rules/service-file/read-contents'
import { type DockerConfig, RepositoryConfigFault } from '@shipway/rules/service-file/repository-config'
import { suggestServiceFile } from '@shipway/rules/service-file/suggest-service-file'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { StepIo } from '../../../deployment/run.ts'
import type { NamedService } from '../../../domain/service-domains.ts'
import { ChecksFailed, StepFault } from '../../../domain/tasks/step-fault.ts'
import { outlineComposeFile } from '../../../source/files/outline-compose-file.ts'
import { commitFileReader } from '../../prepare/commit-file.ts'
import { checkDomains, readConfig } from '../../prepare/prepare.ts'
import type { RecipeContext } from '../../recipe-context.ts'
import { foreseenFaults, openCommit, readFilesOf } from './commit-files.ts'

/** `config` is null where `.service.yml` itself is wrong: then the compose file is searched under its usual names. */
type CommitToRead = { readonly deployment: Deployment; readonly sha: string; readonly config: DockerConfig | null }

export function readDockerConfig(
  io: StepIo,
  context: RecipeContext,
  commit: Omit<CommitToRead, 'config'>,
): Promise<DockerConfig> {
  const suggest = async (): Promise<string> =>
    suggestServiceFile(await readContents(openTree(context, commit), outlineComposeFile))
  return withOtherFaults(context, { ...commit, config: null }, () =>
    readConfig(io, context, { ...commit, recipe: 'docker', suggest }),
  )
}

const openTree = (context: RecipeContext, commit: Omit<CommitToRead, 'config'>): CommitTree => ({
  read: commitFileReader(context, commit),
  listComposeFiles: () => context.source.listComposeFiles(commit.deployment.project.id, commit.sha),
})

export function checkDockerDomains(
  io: StepIo,
  context: RecipeContext,
  { deployment, sha, config }: CommitToRead & { readonly config: DockerConfig },
): Promise<readonly NamedService[]> {
  return withOtherFaults(context, { deployment, sha, config }, () =>
    checkDomains(io, context, { deployment, services: config.services }),
  )
}

async function withOtherFaults<T>(context: RecipeContext, what: CommitToRead, check: () => Promise<T>): Promise<T> {
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
  { deployment, sha, config }: CommitToRead,
): Promise<readonly string[]> {
  const commit = await openCommit(context, { deployment, sha })
  const source = config?.source ?? (await findComposeSource(commit.read))
  if (source?.type !== 'compose') return []
  const { services = [], profiles = [] } = config ?? {}
  const reading = { files: source.files, profiles, services, deployment }
  return foreseenFaults(commit, await readFilesOf(commit, reading), reading)
}
