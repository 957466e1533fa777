// Asks Compose what the files come to, decides what is mounted from where, and checks all of it against what an environment may do.
import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { adaptModel } from '@shipway/rules/compose/adapt/adapt-model'
import { predictRefusals } from '@shipway/rules/compose/form/predict-refusals'
import type { ComposeModel, Refusal } from '@shipway/rules/compose/model'
import { checkNestedMounts } from '@shipway/rules/compose/mounts/check-nested-mounts'
import { isInCheckout } from '@shipway/rules/compose/mounts/checkout-path'
import { FOLDER_LABEL } from '@shipway/rules/compose/mounts/persistent-folders'
import { mountedPaths, resolveMounts, type SourceKind } from '@shipway/rules/compose/mounts/resolve-mounts'
import { checkCompose } from '@shipway/rules/compose/policy/check-compose'
import { mergeRefusals, RUNTIME_RULES } from '@shipway/rules/compose/runtime-rules'
import { locate } from '@shipway/rules/compose/source/collect-sources'
import { nameUnsetVariables } from '@shipway/rules/compose/source/name-unset-variables'
import { faultLine } from '@shipway/rules/fault'
import { routePorts } from '@shipway/rules/service-file/route-ports'
import { listVolumeLabels } from '../../../commands/docker/engine.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import { CheckFailed, ChecksFailed, StepFault } from '../../../domain/tasks/step-fault.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { RecipeContext } from '../../recipe-context.ts'
import type { CommitFiles } from './commit-files.ts'
import { readFilesOf } from './commit-files.ts'
import type { ComposeFiles } from './find-compose-files.ts'
import { inspectPaths } from './inspect-paths.ts'
import { resolveFiles } from './resolve-files.ts'
import { skipMissingClockFiles } from './skip-missing-clock-files.ts'

type Check = {
  readonly files: ComposeFiles
  readonly folders: Folders
  /** The services that `.service.yml` routes, with the port that it names. */
  readonly routed: readonly { readonly name: string; readonly port: number | null }[]
  readonly openCommit: () => Promise<CommitFiles>
  readonly context: Pick<RecipeContext, 'composeConfigs' | 'runtime'>
}

type Checked = {
  readonly model: ComposeModel
  readonly notes: readonly string[]
  /** Of each routed service, where a file names it; else the image says it. */
  readonly ports: Readonly<Record<string, number>>
}

/** The model as it is to run. Nothing of the release has run yet, so what Compose reads here is what was committed. */
export async function checkModel(
  host: Host,
  deployment: Deployment,
  { files, folders, routed, openCommit, context }: Check,
): Promise<Checked> {
  const { project, resolved } = await resolveFiles(host, {
    deployment,
    files,
    folders,
    openCommit,
    context,
  }).catch(async (error: unknown) => {
    throw await explain(error, { files, deployment, openCommit })
  })
  const names = new Set(routed.map(({ name }) => name))
  const { name: runtime } = context.runtime
  const own = adaptModel(resolved, { grants: deployment.grants, routed: names, runtime })
  const clock = await skipMissingClockFiles(host, own.model)
  const { model, notes, sources } = await resolveMountSources(host, clock.model, {
    files,
    checkout: folders.release,
    ids: deployment.ids,
  })
  const refusals = checkCompose(clock.model, {
    checkout: folders.release,
    platformFolder: folders.server,
    links: new Set(files.links),
    variablesFile: folders.variables,
    projectName: project.name,
    grants: deployment.grants,
    routed: names,
    runtime,
  })
  const rules = RUNTIME_RULES[runtime]
  const ofRuntime = rules.refusals(model, {
    checkout: { folder: folders.release, links: new Set(files.links) },
    kindOf: (path) => sources.get(path),
    routed: names,
  })
  const { ports, faults: unrouted } = routePorts(routed, resolved, files.type === 'files' ? files.leftOut : [])
  const refused = [...mergeRefusals(refusals, ofRuntime), ...checkNestedMounts(model)]
  if (refused.length + unrouted.length > 0) {
    const located = await withLocations(refused, { files, deployment, openCommit })
    throw ChecksFailed([...located, ...unrouted.map(({ sentence }) => sentence)])
  }
  return {
    model,
    notes: [
      ...own.notes.map(({ sentence }) => sentence),
      ...clock.notes,
      ...[...notes, ...rules.notes(model)].map(({ sentence }) => sentence),
    ],
    ports,
  }
}

/** Adds the file and line of each in the commit. */
async function withLocations(
  refusals: readonly Refusal[],
  { files, deployment, openCommit }: Pick<Check, 'files' | 'openCommit'> & { readonly deployment: Deployment },
): Promise<readonly string[]> {
  if (refusals.length === 0 || files.type === 'generated') return refusals.map(({ sentence }) => sentence)
  const read = await readFilesOf(await openCommit(), { ...files, deployment })
  const faults = refusals.map(({ key, sentence }) => ({ ...(locate(read.sources, key) ?? NOWHERE), sentence }))
  return nameUnsetVariables(faults, read).map((fault) => (fault.file === '' ? fault.sentence : faultLine(fault)))
}

const NOWHERE = { file: '', line: 1, column: 1 }

/** Compose names one fault, seldom with its place. What is known to be wrong comes first, with places and advice. */
async function explain(
  error: unknown,
  { files, deployment, openCommit }: Pick<Check, 'files' | 'openCommit'> & { readonly deployment: Deployment },
): Promise<unknown> {
  if (files.type === 'generated' || !(error instanceof StepFault && error.kind === 'check')) return error
  const read = await readFilesOf(await openCommit(), { ...files, deployment })
  const foreseen = nameUnsetVariables(predictRefusals(read, files.files), read)
  return foreseen.length === 0 ? error : ChecksFailed([...foreseen.map(faultLine), error.message])
}

type MountSources = { readonly files: ComposeFiles; readonly checkout: string; readonly ids: Deployment['ids'] }

async function resolveMountSources(
  host: Host,
  model: ComposeModel,
  { files: { links, writes }, checkout, ids }: MountSources,
) {
  const here = { folder: checkout, links: new Set(links) }
  const isHere = (path: string): boolean => isInCheckout(posix.join(checkout, path), here)
  const mounted = mountedPaths(model, checkout).filter(isHere)
  const sources = new Map<string, SourceKind>()
  if (mounted.length === 0) return { model, notes: [], sources }
  const count = [...model.services.values()].reduce((sum, { mounts }) => sum + mounts.length, 0)
  if (count > MOST_MOUNTS) {
    throw CheckFailed(
      `The compose file has more than ${MOST_MOUNTS} mounts. Mount the folders that they are in instead`,
    )
  }
  const known = (await listFolders(host, ids)).filter(isHere).slice(0, MOST_MOUNTS)
  const paths = [...new Set([...mounted, ...known])].map((path) => posix.join(checkout, path))
  const kinds = await inspectPaths(host, checkout, paths)
  for (const [path, kind] of kinds) {
    const relative = posix.relative(checkout, path)
    if (kind === 'link') throw CheckFailed(`A link leads elsewhere from ${relative}, which is mounted`)
    sources.set(relative, kind)
  }
  return {
    ...resolveMounts(model, { checkout, sources, writes, known, digest: (text) => hash('sha256', text) }),
    sources,
  }
}

/** Each is compared with each. */
const MOST_MOUNTS = 150

/** The persistent folders that the environment has. */
async function listFolders(host: Host, ids: Deployment['ids']): Promise<string[]> {
  const printed = await askDocker(host, listVolumeLabels({ ...ids, label: FOLDER_LABEL }))
  return printed.split('\n').filter(Boolean)
}
