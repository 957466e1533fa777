// Checks a commit or a working tree as a deployment would: reports every fault of `.service.yml` and the compose files at once, and what the
// platform changes. Works without Docker; what only Compose or an image can tell is decided at deployment.
import { posix } from 'node:path'
import type { Recipe } from '@shipway/api/values/recipe'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import type { RuntimeName } from '@shipway/api/values/runtime'
import { type CheckFindings, type CheckOptions, checkFiles } from './compose/check-files.ts'
import { composeForDockerfile } from './compose/compose-for-dockerfile.ts'
import { predictRefusals } from './compose/form/predict-refusals.ts'
import type { ComposeService } from './compose/model.ts'
import type { SourceKind } from './compose/mounts/resolve-mounts.ts'
import type { Capability } from './compose/policy/capabilities.ts'
import { CHECKOUT, type FilesToRead, readComposeFiles } from './compose/read-compose-files.ts'
import type { KnownVariables } from './compose/source/known-variables.ts'
import { nameUnsetVariables } from './compose/source/name-unset-variables.ts'
import { readSource } from './compose/source/read-source.ts'
import { unknownBeforeDeployment } from './compose/unknown-before-deployment.ts'
import { type Fault, faultLine, type Remark } from './fault.ts'
import { exposedPorts } from './service-file/exposed-ports.ts'
import type { CommitTree } from './service-file/find-compose-files.ts'
import { findComposeSource, NO_COMPOSE_FILE } from './service-file/find-compose-source.ts'
import { readContents } from './service-file/read-contents.ts'
import { readRepositoryConfig } from './service-file/read-repository-config.ts'
import {
  type DockerSource,
  isDockerConfig,
  type RepositoryConfig,
  RepositoryConfigFault,
} from './service-file/repository-config.ts'
import { keyPosition } from './service-file/repository-yaml.ts'
import { missingFileSentence, PLACEHOLDER, suggestServiceFile } from './service-file/suggest-service-file.ts'
import { checkSubmodules, withSubmodules } from './submodules/check-submodules.ts'

/** Paths are relative to the root. */
export type RepositoryTree = CommitTree & {
  kindOf(path: string): Promise<SourceKind>
  /** Symbolic links, relative to the root. */
  readonly links: ReadonlySet<string>
}

export type RepositoryOptions = {
  readonly recipe: Recipe
  /** The custom variables of the environment; null if they are not known here. */
  readonly custom?: KnownVariables['custom']
  readonly grants?: ReadonlySet<Capability>
  /** Of the server; by default one machine. */
  readonly runtime?: RuntimeName | undefined
}

/** In the order of the files. A deployment fails if there is a fault. */
export type Verdict = CheckFindings & { readonly config: RepositoryConfig | null }

const CONFIG_FILE = '.service.yml'

export async function checkRepositoryFiles(tree: RepositoryTree, options: RepositoryOptions): Promise<Verdict> {
  const { config, suggested, faults, positionOf } = await readConfig(tree, options.recipe)
  const submodules = await checkSubmodules(tree)
  const later = [...ownDomains(config, positionOf), ...submodules.later]
  if (!runsContainers[options.recipe])
    return { config, faults: [...faults, ...submodules.faults], remarks: await placeholders(tree), later }
  const whole = { ...tree, kindOf: withSubmodules(tree, submodules.paths) }
  const compose = await checkDockerSource(whole, { ...options, config, suggested, positionOf })
  return {
    config,
    faults: [...faults, ...submodules.faults, ...compose.faults],
    remarks: compose.remarks,
    later: [...later, ...compose.later],
  }
}

/** A deployment of the suggested file succeeds and starts nothing. */
async function placeholders(tree: RepositoryTree): Promise<readonly Remark[]> {
  const content = await tree.read(CONFIG_FILE)
  if (!(content instanceof Uint8Array)) return []
  return new TextDecoder()
    .decode(content)
    .split('\n')
    .flatMap((text, index) => {
      const column = text.indexOf(PLACEHOLDER) + 1
      return column === 0 ? [] : [{ file: CONFIG_FILE, line: index + 1, column, sentence: STILL_A_PLACEHOLDER }]
    })
}

const STILL_A_PLACEHOLDER =
  'Warning: this step is the placeholder of shipway init and starts nothing. Replace it by what starts the program'

/** Only the platform knows which domains a project may use. */
const ownDomains = (config: RepositoryConfig | null, positionOf: ReadConfig['positionOf']): readonly Remark[] =>
  (config?.services ?? []).flatMap(({ name, domain }) =>
    domain === null
      ? []
      : [{ ...positionOf(name), sentence: `${name}: whether the project may have the domain ${domain}` }],
  )

type ReadConfig = {
  readonly config: RepositoryConfig | null
  /** Of the `.service.yml` that the platform suggests where there is none. */
  readonly suggested: DockerSource | null
  readonly faults: readonly Fault[]
  /** Of a key in a section, by default that of a service. */
  readonly positionOf: (name: string, section?: string) => Omit<Fault, 'sentence'>
}

async function readConfig(tree: RepositoryTree, recipe: Recipe): Promise<ReadConfig> {
  const start = { file: CONFIG_FILE, line: 1, column: 1 }
  const content = await tree.read(CONFIG_FILE)
  if (content === undefined) {
    const contents = await readContents(tree)
    const faults = [{ ...start, sentence: missingFileSentence(suggestServiceFile(contents)) }]
    const suggested = contents.compose && ({ type: 'compose', files: contents.compose.files } as const)
    return { config: null, suggested, faults, positionOf: () => start }
  }
  if (typeof content === 'string')
    return { config: null, suggested: null, faults: [{ ...start, sentence: content }], positionOf: () => start }
  const positionOf = (name: string, section = 'services') => ({ ...start, ...keyPosition(content, section, name) })
  try {
    return { config: readRepositoryConfig(content, recipe), suggested: null, faults: [], positionOf }
  } catch (error) {
    if (!(error instanceof RepositoryConfigFault)) throw error
    const faults = error.faults.map(({ line, column, sentence }) => ({ file: CONFIG_FILE, line, column, sentence }))
    return { config: null, suggested: null, faults, positionOf }
  }
}

type DockerSourceToCheck = RepositoryOptions & Pick<ReadConfig, 'config' | 'suggested' | 'positionOf'>

async function checkDockerSource(tree: RepositoryTree, options: DockerSourceToCheck): Promise<CheckFindings> {
  const { config, suggested, custom = null, grants = new Set(), runtime, positionOf } = options
  const docker = isDockerConfig(config) ? config : null
  const source = docker?.source ?? suggested ?? (await findComposeSource(tree.read))
  if (!source)
    return { faults: [{ file: CONFIG_FILE, line: 1, column: 1, sentence: NO_COMPOSE_FILE }], remarks: [], later: [] }
  const services = docker?.services ?? []
  const { files, read } =
    source.type === 'compose' ? { files: source.files, read: tree.read } : generated(tree, source, services)
  const reading: FilesToRead = {
    files,
    read,
    links: tree.links,
    profiles: docker?.profiles ?? [],
    custom,
    readSource: async (one) => readSource(one),
  }
  const found = await readComposeFiles(reading)
  const foreseen = predictRefusals(found, files)
  const how: CheckOptions = {
    files,
    links: tree.links,
    grants,
    routed: services,
    commands: docker ?? { services },
    kindOf: (path) => tree.kindOf(path),
    exposedBy: (service) => exposedByDockerfile(tree, service),
    positionOf,
    ...(runtime === undefined ? {} : { runtime }),
  }
  const checked = await checkFiles(found, how, foreseen)
  // With the tag !override, only Compose knows the merged result.
  const isCertain = !found.sources.some(({ hasOverrides }) => hasOverrides)
  return {
    faults: once([...found.faults, ...nameUnsetVariables([...foreseen, ...(isCertain ? checked.faults : [])], found)]),
    remarks: [...found.remarks, ...checked.remarks],
    later: [...unknownBeforeDeployment(found), ...checked.later, ...(isCertain ? [] : checked.faults)],
  }
}

/** Two rules may report the same fault. */
const once = (faults: readonly Fault[]): readonly Fault[] => [
  ...new Map(faults.map((fault) => [faultLine(fault), fault])).values(),
]

/** The compose file that the platform writes for a lone Dockerfile. */
function generated(
  tree: RepositoryTree,
  build: Extract<DockerSource, { type: 'build' }>,
  services: RepositoryConfig['services'],
) {
  const file = posix.join(build.context, build.dockerfile)
  const document = JSON.stringify(composeForDockerfile({ build, services }))
  return {
    files: [file],
    read: async (path: string) => {
      if (path !== file) return tree.read(path)
      const content = await tree.read(path)
      if (content instanceof Uint8Array) return new TextEncoder().encode(document)
      return content === undefined ? undefined : `${content}. ${OTHER_DOCKERFILE}`
    },
  }
}

const OTHER_DOCKERFILE =
  'Name another in .service.yml, as in docker: { build: { context: ., dockerfile: docker/Dockerfile } }'

async function exposedByDockerfile(tree: RepositoryTree, { build }: ComposeService): Promise<readonly number[]> {
  const { context, dockerfile, target } = build ?? {}
  if (typeof context !== 'string' || typeof dockerfile !== 'string') return []
  const path = posix.relative(CHECKOUT, posix.resolve(context, dockerfile))
  if (path.startsWith('..')) return []
  const content = await tree.read(path)
  return content instanceof Uint8Array
    ? exposedPorts(new TextDecoder().decode(content), typeof target === 'string' ? target : null)
    : []
}
