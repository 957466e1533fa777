// Checks compose files without running Compose: before a push, and when a deployment fails before Compose runs. The platform applies the
// same rules to Compose's own model, and that result counts.
import type { RuntimeName } from '@shipway/api/values/runtime'
import type { Fault, Remark } from '../fault.ts'
import { type Commands, commandFaults } from '../service-file/release-commands.ts'
import { imagePortFaults, routePorts } from '../service-file/route-ports.ts'
import { adaptModel } from './adapt/adapt-model.ts'
import { missingDockerfiles } from './missing-dockerfiles.ts'
import type { ComposeModel, ComposeService } from './model.ts'
import { checkNestedMounts } from './mounts/check-nested-mounts.ts'
import { mountedPaths, resolveMounts, type SourceKind } from './mounts/resolve-mounts.ts'
import type { Capability } from './policy/capabilities.ts'
import { checkCompose } from './policy/check-compose.ts'
import { within } from './policy/refusal.ts'
import { CHECKOUT, type LeftOut, PROJECT, type ReadFiles, remarkOn } from './read-compose-files.ts'
import { composeModel, UnreadableCompose } from './read-compose-model.ts'
import { mergeRefusals, RUNTIME_RULES } from './runtime-rules.ts'

export type CheckOptions = {
  readonly files: readonly string[]
  readonly links: ReadonlySet<string>
  readonly grants: ReadonlySet<Capability>
  /** Of the server; by default one machine. */
  readonly runtime?: RuntimeName
  /** As `.service.yml` has them. */
  readonly routed: readonly { readonly name: string; readonly port: number | null }[]
  /** What runs before the switch. */
  readonly commands?: Commands
  /** What the commit has at a path; null if mounts are not of interest. */
  readonly kindOf: ((path: string) => Promise<SourceKind>) | null
  /** Ports that a service's Dockerfile exposes; empty if not known. */
  readonly exposedBy: (service: ComposeService) => Promise<readonly number[]>
  /** Where a key of a section stands in `.service.yml`, by default that of a service. */
  readonly positionOf: (name: string, section?: string) => Omit<Fault, 'sentence'>
}

export type CheckFindings = {
  readonly faults: readonly Fault[]
  readonly remarks: readonly Remark[]
  /** What depends on the environment, the project or an image, and is decided at deployment. */
  readonly later: readonly Remark[]
}

/** `foreseen`: what Compose is known to refuse. Then an unreadable model is not reported as well. */
export async function checkFiles(
  read: ReadFiles,
  options: CheckOptions,
  foreseen: readonly Fault[] = [],
): Promise<CheckFindings> {
  const at = (key: string, sentence: string): Fault => remarkOn(read.sources, options.files, { key, sentence })
  if (!read.isWhole) return { faults: [], remarks: [], later: [] }
  const model = modelOf(read)
  if ('unreadable' in model) {
    return { faults: foreseen.length > 0 ? [] : [at('services', model.unreadable)], remarks: [], later: [] }
  }
  const routed = new Set(options.routed.map(({ name }) => name))
  const { runtime = 'compose' } = options
  const rules = RUNTIME_RULES[runtime]
  const own = adaptModel(model, { grants: options.grants, routed, runtime })
  const refusals = checkCompose(own.model, {
    checkout: CHECKOUT,
    links: options.links,
    platformFolder: '/platform',
    variablesFile: '/platform/variables.env',
    projectName: PROJECT,
    grants: options.grants,
    routed,
    runtime,
  })
  const mounted = await resolveMountsOf(own.model, read, options)
  const ofRuntime = rules.refusals(mounted.model, {
    checkout: { folder: CHECKOUT, links: options.links },
    kindOf: (path) => mounted.sources.get(path),
    routed,
  })
  const unmet = [...own.model.services.values()].flatMap((service) =>
    [...service.dependsOn].flatMap(([name, { isRequired }]) =>
      isRequired && !own.model.services.has(name) ? [unmetSentence(service.name, name, read.leftOut)] : [],
    ),
  )
  const unbuildable = await missingDockerfiles(own.model, options)
  const ports = await checkRoutedPorts(model, read, options)
  return {
    faults: [
      ...[...mergeRefusals(refusals, ofRuntime), ...mounted.faults, ...checkNestedMounts(mounted.model), ...unmet].map(
        ({ key, sentence }) => at(key, sentence),
      ),
      ...ports.faults,
      ...checkCommands(model, options),
    ],
    remarks: [...own.notes, ...unbuildable, ...mounted.notes, ...rules.notes(mounted.model)].map(({ key, sentence }) =>
      at(key, sentence),
    ),
    later: ports.later,
  }
}

function modelOf({ document }: ReadFiles): ComposeModel | { readonly unreadable: string } {
  try {
    return composeModel(document)
  } catch (error) {
    if (error instanceof UnreadableCompose) return { unreadable: error.message }
    throw error
  }
}

async function resolveMountsOf(model: ComposeModel, { writes }: ReadFiles, { kindOf }: CheckOptions) {
  const sources = new Map<string, SourceKind>()
  const paths = kindOf === null ? [] : mountedPaths(model, CHECKOUT)
  if (kindOf === null || paths.length === 0) return { model, notes: [], faults: [], sources }
  const count = [...model.services.values()].reduce((sum, { mounts }) => sum + mounts.length, 0)
  if (count > MOST_MOUNTS)
    return { model, notes: [], faults: [{ key: 'services', sentence: TOO_MANY_MOUNTS }], sources }
  for (const path of paths) sources.set(path, await kindOf(path))
  return {
    ...resolveMounts(model, { checkout: CHECKOUT, sources, writes, known: [], digest: (text) => text }),
    faults: [],
    sources,
  }
}

/** Each is compared with each. */
const MOST_MOUNTS = 150
const TOO_MANY_MOUNTS = `The compose file has more than ${MOST_MOUNTS} mounts. Mount the folders that they are in instead`

function unmetSentence(service: string, name: string, leftOut: readonly LeftOut[]) {
  const out = leftOut.find((one) => one.name === name)
  const why = out
    ? `which is left out. Enable its profile in .service.yml: docker: { profiles: [${out.profiles[0]}] }`
    : 'which is not in the file'
  return {
    key: `${within('services', service)}.depends_on`,
    sentence: `${within('services', service)} depends on ${name}, ${why}`,
  }
}

function checkCommands({ services }: ComposeModel, { commands, positionOf }: CheckOptions): readonly Fault[] {
  if (commands === undefined) return []
  return commandFaults(commands, [...services.keys()]).map(({ key, sentence }) => ({
    ...positionOf(key, 'docker'),
    sentence,
  }))
}

/** Reported at `.service.yml`, where a port is named. */
async function checkRoutedPorts(
  model: ComposeModel,
  { leftOut }: ReadFiles,
  { routed, exposedBy, positionOf }: CheckOptions,
): Promise<Pick<CheckFindings, 'faults' | 'later'>> {
  const { faults, unsaid } = routePorts(routed, model, leftOut)
  const exposed = new Map<string, readonly number[]>()
  for (const name of unsaid) {
    const service = model.services.get(name)
    if (service) exposed.set(name, await exposedBy(service))
  }
  // Only the server knows what a registry image exposes.
  const unknown = [...exposed].filter(([, ports]) => ports.length === 0).map(([name]) => name)
  const inDockerfiles = imagePortFaults(new Map([...exposed].filter(([name]) => !unknown.includes(name))))
  return {
    faults: [...faults, ...inDockerfiles].map(({ service, sentence }) => ({ ...positionOf(service), sentence })),
    later: unknown.map((name) => ({ ...positionOf(name), sentence: imagePortSentence(name) })),
  }
}

const imagePortSentence = (service: string): string =>
  `${service}: no file names its port, so it is the one that its image exposes`
