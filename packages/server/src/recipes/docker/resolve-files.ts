// Asks Compose what the files come to: what they mean is what it says. Images are resolved without the variables that no build may get.
import type { ComposeModel, JsonObject } from '@shipway/rules/compose/model'
import { composeDocument, composeModel, readComposeModel } from '@shipway/rules/compose/read-compose-model'
import { type ComposeProject, resolveModel } from '../../commands/docker/compose.ts'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import { ask } from '../../remote/ask.ts'
import { type Host, TooMuchOutput } from '../../remote/host.ts'
import { lastLine } from '../../remote/last-line.ts'
import type { Deployment } from '../deployment.ts'
import type { Folders } from '../folders.ts'
import type { CommitFiles } from './commit-files.ts'
import { composeProjectOf } from './compose-project.ts'
import type { ComposeFiles } from './find-compose-files.ts'
import { tellCompose } from './tell-compose.ts'

type Resolving = {
  readonly deployment: Deployment
  readonly files: ComposeFiles
  readonly folders: Folders
  /** Read only where Compose has to be told something out of it. */
  readonly openCommit: () => Promise<CommitFiles>
}

export async function resolveFiles(
  host: Host,
  { deployment, files, folders, openCommit }: Resolving,
): Promise<{ readonly project: ComposeProject; readonly resolved: ComposeModel }> {
  const project = composeProjectOf(deployment, files, folders)
  if (files.type === 'files' && needsTelling(files)) {
    await tellCompose(host, { commit: await openCommit(), files, folders, deployment, project })
  }
  const resolved = await readModel(host, project, folders)
  if (files.type === 'generated' || files.hidden.length === 0) return { project, resolved }
  const variableFiles = project.variableFiles.with(-1, folders.buildVariables)
  const forBuilds = await readModel(host, { ...project, variableFiles }, folders)
  return { project, resolved: withBuildsOf(resolved, forBuilds) }
}

const needsTelling = ({ hasDefaults, envFiles, hidden }: Extract<ComposeFiles, { type: 'files' }>): boolean =>
  hasDefaults || hidden.length > 0 || Object.keys(envFiles).length > 0

function withBuildsOf(model: ComposeModel, other: ComposeModel): ComposeModel {
  const services = [...model.services].map(([name, { definition }]): [string, JsonObject] => {
    const { build, ...others } = definition
    const own = other.services.get(name)?.definition.build
    // What is not built without the variables is not built with them.
    return [name, build === undefined || build === null ? definition : { ...others, ...(own ? { build: own } : {}) }]
  })
  return composeModel({ ...composeDocument(model), services: Object.fromEntries(services) })
}

async function readModel(host: Host, project: ComposeProject, { release, task }: Folders): Promise<ComposeModel> {
  // Paths of the server tell nobody anything.
  const inWords = ({ stderr }: { readonly stderr: string }) =>
    CheckFailed(
      `Docker Compose cannot read this: ${lastLine(stderr).replaceAll(`${release}/`, '').replaceAll(`${task}/`, '')}`,
    )
  const printed = await ask(host, resolveModel(project), inWords).catch((error: unknown) => {
    if (!(error instanceof TooMuchOutput)) throw error
    throw CheckFailed('The compose files come to more than a mebibyte. Take out what is not needed', error)
  })
  return readComposeModel(printed)
}
