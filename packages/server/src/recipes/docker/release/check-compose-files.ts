// Checks the compose files before anything of the release runs, and stores the model that was checked on the server.

import { commandFaults } from '@shipway/rules/service-file/release-commands'
import type { DockerConfig } from '@shipway/rules/service-file/repository-config'
import type { CheckedModel } from '../../../deployment/checked-model.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import type { Prefetch } from '../../../deployment/prefetch.ts'
import type { StepIo } from '../../../deployment/run.ts'
import type { NamedService } from '../../../domain/service-domains.ts'
import { ChecksFailed } from '../../../domain/tasks/step-fault.ts'
import { writeFile } from '../../../remote/write-file.ts'
import type { RecipeContext } from '../../recipe-context.ts'
import { checkModel } from './check-model.ts'
import type { CommitFiles } from './commit-files.ts'
import type { ComposeFiles } from './find-compose-files.ts'

type FilesToCheck = {
  readonly deployment: Deployment
  readonly services: readonly NamedService[]
  readonly config: DockerConfig
  readonly files: ComposeFiles
  readonly folders: Folders
  readonly checked: CheckedModel
  readonly commit: Prefetch<CommitFiles>
}

export type Checked = {
  /** Services whose images are built. */
  readonly built: readonly string[]
  readonly isPulled: boolean
  /** Inside the containers of the routed services, where a file names it. */
  readonly ports: Readonly<Record<string, number>>
  /** Of the model that was kept. */
  readonly digest: string
}

export async function checkComposeFiles(
  io: StepIo,
  context: Pick<RecipeContext, 'claimPorts' | 'composeConfigs' | 'runtime'>,
  { deployment, services, config, files, folders, checked, commit }: FilesToCheck,
): Promise<Checked> {
  const { host, say } = io
  if (files.type === 'generated') await writeFile(host, folders.generated, { content: JSON.stringify(files.document) })
  const routed = services.map(({ service }) => service)
  const { model, notes, ports } = await checkModel(host, deployment, {
    files,
    folders,
    routed,
    openCommit: () => commit.result(io),
    context,
  })
  const faults = commandFaults(config, [...model.services.keys()])
  if (faults.length > 0) throw ChecksFailed(faults.map(({ sentence }) => sentence))
  await context.runtime.checkModel(host, context, { model, deployment })
  for (const note of notes) say(note)
  const all = [...model.services.values()]
  return {
    built: all.filter(({ build }) => build !== null).map(({ name }) => name),
    isPulled: all.some(({ build }) => build === null),
    ports,
    digest: await checked.keep(host, model),
  }
}
