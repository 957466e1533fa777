// Asks Compose what the files come to: what they mean is what it says. Images are resolved without the variables that no build may get.
import type { ComposeModel, JsonObject } from '@shipway/rules/compose/model'
import { composeDocument, composeModel, readComposeModel } from '@shipway/rules/compose/read-compose-model'
import { type ComposeProject, resolveModel } from '../../../commands/docker/compose.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import { variableFileOf } from '../../../deployment/write-variables.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { ask } from '../../../remote/ask.ts'
import { type Host, TooMuchOutput } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import { writeSecretFile } from '../../../remote/write-secret-file.ts'
import {
  type CachedConfig,
  cacheConfig,
  findCachedConfig,
  inputsOf,
} from '../../../runtimes/compose/fast-path/compose-config-cache.ts'
import type { Secret } from '../../../secrets/secret.ts'
import type { ComposeConfigCache } from '../../recipe-context.ts'
import type { CommitFiles } from './commit-files.ts'
import { overrideFiles } from './compose-overrides.ts'
import { composeProjectOf } from './compose-project.ts'
import type { ComposeFiles } from './find-compose-files.ts'

type Resolving = {
  readonly deployment: Deployment
  readonly files: ComposeFiles
  readonly folders: Folders
  /** Read only where Compose has to be told something out of it. */
  readonly openCommit: () => Promise<CommitFiles>
  readonly printedModels: ComposeConfigCache
}

export async function resolveFiles(
  host: Host,
  { deployment, files, folders, openCommit, printedModels }: Resolving,
): Promise<{ readonly project: ComposeProject; readonly resolved: ComposeModel }> {
  const project = composeProjectOf(deployment, files, folders)
  const told =
    files.type === 'files'
      ? await overrideFiles({ openCommit, files, folders, deployment, project })
      : new Map<string, Secret>()
  const read = new Map([...told, [folders.variables, variableFileOf(deployment)]])
  const inputs = await inputsOf(host, { files, folders, project, told: read })
  const known = inputs && findCachedConfig(printedModels, inputs, folders)
  const printed = known ?? (await askCompose(host, { project, folders, told }))
  const resolved = readPrinted(printed)
  if (inputs && !known) cacheConfig(printedModels, inputs, { ...printed, ...folders })
  return { project, resolved }
}

type Asking = Pick<Resolving, 'folders'> & {
  readonly project: ComposeProject
  readonly told: ReadonlyMap<string, Secret>
}

async function askCompose(host: Host, { project, folders, told }: Asking): Promise<CachedConfig> {
  for (const [file, content] of told) await writeSecretFile(host, file, { content })
  const model = await printModel(host, project, folders)
  if (!told.has(folders.buildVariables)) return { model, forBuilds: null }
  const variableFiles = project.variableFiles.with(-1, folders.buildVariables)
  return { model, forBuilds: await printModel(host, { ...project, variableFiles }, folders) }
}

function readPrinted({ model, forBuilds }: CachedConfig): ComposeModel {
  const resolved = readComposeModel(model)
  return forBuilds === null ? resolved : withBuildsOf(resolved, readComposeModel(forBuilds))
}

function withBuildsOf(model: ComposeModel, other: ComposeModel): ComposeModel {
  const services = [...model.services].map(([name, { definition }]): [string, JsonObject] => {
    const { build, ...others } = definition
    const own = other.services.get(name)?.definition.build
    // What is not built without the variables is not built with them.
    return [name, build === undefined || build === null ? definition : { ...others, ...(own ? { build: own } : {}) }]
  })
  return composeModel({ ...composeDocument(model), services: Object.fromEntries(services) })
}

async function printModel(host: Host, project: ComposeProject, { release, task }: Folders): Promise<string> {
  // Paths of the server tell nobody anything.
  const inWords = ({ stderr }: { readonly stderr: string }) =>
    CheckFailed(
      `Docker Compose cannot read this: ${lastLine(stderr).replaceAll(`${release}/`, '').replaceAll(`${task}/`, '')}`,
    )
  return ask(host, resolveModel(project), inWords).catch((error: unknown) => {
    if (!(error instanceof TooMuchOutput)) throw error
    throw CheckFailed('The compose files come to more than a mebibyte. Take out what is not needed', error)
  })
}
