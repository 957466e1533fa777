// Resolves compose files with Compose itself. Builds are resolved without the variables that no build may get.
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
import type { PrintedConfig } from '../../../runtimes/compose-config.ts'
import type { Secret } from '../../../secrets/secret.ts'
import type { RecipeContext } from '../../recipe-context.ts'
import type { CommitFiles } from './commit-files.ts'
import { overrideFiles } from './compose-overrides.ts'
import { composeProjectOf } from './compose-project.ts'
import type { ComposeFiles } from './find-compose-files.ts'

type FilesToResolve = {
  readonly deployment: Deployment
  readonly files: ComposeFiles
  readonly folders: Folders
  /** Called only where an override file needs something of the commit. */
  readonly openCommit: () => Promise<CommitFiles>
  readonly context: Pick<RecipeContext, 'composeConfigs' | 'runtime'>
}

export async function resolveFiles(
  host: Host,
  { deployment, files, folders, openCommit, context }: FilesToResolve,
): Promise<{ readonly project: ComposeProject; readonly resolved: ComposeModel }> {
  const project = composeProjectOf(deployment, files, folders)
  const overrides =
    files.type === 'files'
      ? await overrideFiles({ openCommit, files, folders, deployment, project })
      : new Map<string, Secret>()
  const contents = new Map([...overrides, [folders.variables, variableFileOf(deployment)]])
  const inputs = { ...inputsOf(files), folders, project, contents }
  const resolved = await context.runtime.resolveConfig(host, context.composeConfigs, inputs, {
    ask: () => askCompose(host, { project, folders, overrides }),
    read: readPrinted,
  })
  return { project, resolved }
}

const inputsOf = (files: ComposeFiles) =>
  files.type === 'generated' ? { reads: [], document: files.document } : { reads: files.reads, document: null }

type ComposeCall = Pick<FilesToResolve, 'folders'> & {
  readonly project: ComposeProject
  readonly overrides: ReadonlyMap<string, Secret>
}

async function askCompose(host: Host, { project, folders, overrides }: ComposeCall): Promise<PrintedConfig> {
  for (const [file, content] of overrides) await writeSecretFile(host, file, { content })
  const model = await printModel(host, project, folders)
  if (!overrides.has(folders.buildVariables)) return { model, forBuilds: null }
  const variableFiles = project.variableFiles.with(-1, folders.buildVariables)
  return { model, forBuilds: await printModel(host, { ...project, variableFiles }, folders) }
}

function readPrinted({ model, forBuilds }: PrintedConfig): ComposeModel {
  const resolved = readComposeModel(model)
  return forBuilds === null ? resolved : withBuildsOf(resolved, readComposeModel(forBuilds))
}

function withBuildsOf(model: ComposeModel, other: ComposeModel): ComposeModel {
  const services = [...model.services].map(([name, { definition }]): [string, JsonObject] => {
    const { build, ...others } = definition
    const own = other.services.get(name)?.definition.build
    // A service that is not built without these variables is not built with them either.
    return [name, build === undefined || build === null ? definition : { ...others, ...(own ? { build: own } : {}) }]
  })
  return composeModel({ ...composeDocument(model), services: Object.fromEntries(services) })
}

async function printModel(host: Host, project: ComposeProject, { release, task }: Folders): Promise<string> {
  // Paths of the server mean nothing to users.
  const withoutPaths = ({ stderr }: { readonly stderr: string }) =>
    CheckFailed(
      `Docker Compose cannot read this: ${lastLine(stderr).replaceAll(`${release}/`, '').replaceAll(`${task}/`, '')}`,
    )
  return ask(host, resolveModel(project), withoutPaths).catch((error: unknown) => {
    if (!(error instanceof TooMuchOutput)) throw error
    throw CheckFailed('The compose files come to more than a mebibyte. Take out what is not needed', error)
  })
}
