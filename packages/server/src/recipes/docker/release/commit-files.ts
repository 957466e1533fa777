// The files of the commit that is deployed, read from the mirror: nothing of it ran yet.
import { checkFiles } from '@shipway/rules/compose/check-files'
import { type ReadFiles, readComposeFiles } from '@shipway/rules/compose/read-compose-files'
import type { SourceFiles } from '@shipway/rules/compose/source/collect-sources'
import { nameUnsetVariables } from '@shipway/rules/compose/source/name-unset-variables'
import { type Fault, faultLine } from '@shipway/rules/fault'
import type { DockerConfig } from '@shipway/rules/service-file/repository-config'
import type { Deployment } from '../../../deployment/deployment.ts'
import { readSourceFile } from '../../../source/files/read-source-file.ts'
import { commitFileReader } from '../../prepare/commit-file.ts'
import type { RecipeContext } from '../../recipe-context.ts'

export type CommitFiles = Pick<SourceFiles, 'read' | 'links'>

type CommitToOpen = { readonly deployment: Deployment; readonly sha: string }

export async function openCommit(context: RecipeContext, { deployment, sha }: CommitToOpen): Promise<CommitFiles> {
  return {
    links: await context.source.listLinks(deployment.project.id, sha),
    read: commitFileReader(context, { deployment, sha }),
  }
}

type FilesToRead = Pick<DockerConfig, 'profiles'> & {
  readonly files: readonly string[]
  readonly deployment: Pick<Deployment, 'variables' | 'buildKeys'>
}

export function readFilesOf(commit: CommitFiles, { files, profiles, deployment }: FilesToRead): Promise<ReadFiles> {
  const keys = [...deployment.variables.keys()]
  const custom = new Map(keys.map((key) => [key, { isForBuilds: deployment.buildKeys.has(key) }]))
  return readComposeFiles({ ...commit, files, profiles, custom, readSource: readSourceFile })
}

type FilesToCheck = FilesToRead & {
  readonly services: DockerConfig['services']
  readonly deployment: Pick<Deployment, 'variables' | 'buildKeys' | 'grants'>
}

/**
 * Every fault of the compose files that can be found without Compose. Reported when a deployment fails anyway, so that users do not find
 * one fault with each push.
 */
export async function foreseenFaults(
  commit: CommitFiles,
  read: ReadFiles,
  checking: FilesToCheck,
): Promise<readonly string[]> {
  const { files, services, deployment } = checking
  const { faults } = await checkFiles(read, {
    files,
    links: commit.links,
    grants: deployment.grants,
    routed: services,
    kindOf: null,
    exposedBy: async () => [],
    positionOf: () => ({ file: '.service.yml', line: 1, column: 1 }),
  })
  return linesOf([...read.faults, ...nameUnsetVariables(faults, read)])
}

const linesOf = (faults: readonly Fault[]): readonly string[] => [...new Set(faults.map(faultLine))]
