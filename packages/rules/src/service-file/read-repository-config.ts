/** Reads `.service.yml` for one recipe. The section of the other recipe is ignored. */
import { Port } from '@shipway/api/values/hostname'
import type { Recipe } from '@shipway/api/values/recipe'
import {
  addFault,
  addMissingKey,
  type ConfigNode,
  type Entry,
  isList,
  isNothing,
  isSection,
  readEntries,
  readList,
  readOptional,
  readSection,
  readValue,
} from './config-node.ts'
import { readDeployAfter } from './read-deploy-after.ts'
import { readPullRequests } from './read-pull-requests.ts'
import { readActions, readManual, readReleaseCommands, readSeedCommands } from './read-scripts.ts'
import {
  type DockerConfig,
  type DockerSource,
  type FileFault,
  type ManualConfig,
  type RepositoryConfig,
  RepositoryConfigFault,
  type Service,
  serviceLabel,
} from './repository-config.ts'
import {
  CheckoutFile,
  CheckoutPath,
  CustomDomain,
  Flag,
  HealthPath,
  Profile,
  RoutedServiceName,
} from './repository-config-values.ts'
import { parseRepositoryYaml } from './repository-yaml.ts'

/** `settings`: a file that the project keeps for commits that have none. */
export type FileOrigin = 'commit' | 'settings'

/** Throws a RepositoryConfigFault that names every fault with its line and column; there is no other error. */
export function readRepositoryConfig(content: string | Uint8Array, recipe: 'docker', origin?: FileOrigin): DockerConfig
export function readRepositoryConfig(content: string | Uint8Array, recipe: 'manual', origin?: FileOrigin): ManualConfig
export function readRepositoryConfig(
  content: string | Uint8Array,
  recipe: Recipe,
  origin?: FileOrigin,
): RepositoryConfig
export function readRepositoryConfig(
  content: string | Uint8Array,
  recipe: Recipe,
  origin: FileOrigin = 'commit',
): RepositoryConfig {
  const { root, positionAt } = parseRepositoryYaml(content)
  const faults: FileFault[] = []
  const start = root.range?.[0] ?? 0
  const file: ConfigNode = { path: '', value: root, offset: start, keyOffset: start, file: { faults, positionAt } }
  const section = readSection(file, ['services', 'docker', 'manual', 'actions', 'pull_requests', 'deploy_after'])
  const services = readServices(section('services'))
  const actions = readActions(section('actions'))
  // Only the file of the default branch decides about pull requests; here its faults are found before they are merged.
  readPullRequests(section('pull_requests'))
  readDeployAfter(section('deploy_after'))
  if (origin === 'settings') refuseProjectRules([section('pull_requests'), section('deploy_after')])
  const config: RepositoryConfig = { services, actions, ...OWN_SECTIONS[recipe](section(recipe), file) }
  if (faults.length > 0) throw new RepositoryConfigFault(faults)
  return config
}

type OwnSection = Omit<DockerConfig, 'services' | 'actions'> | Omit<ManualConfig, 'services' | 'actions'>

/** Each recipe has a section by its name, which may be missing. */
const OWN_SECTIONS: Readonly<Record<Recipe, (node: ConfigNode | undefined, file: ConfigNode) => OwnSection>> = {
  docker: (node) => ({ recipe: 'docker', ...readDocker(node) }),
  manual: (node, file) => ({ recipe: 'manual', ...readManualOf(file, node) }),
}

/** They count from the file of the default branch alone; a project without one has them among its settings. */
function refuseProjectRules(nodes: readonly (ConfigNode | undefined)[]): void {
  for (const node of nodes) {
    if (node)
      addFault(node, node.keyOffset, 'Leave this out: it counts in a committed file only. Set it in the settings')
  }
}

export const MAX_SERVICES = 20
export const MAX_COMPOSE_FILES = 20
export const MAX_PROFILES = 20

function readServices(node: ConfigNode | undefined): readonly Service[] {
  if (!node) return []
  const read = readEntries(node, RoutedServiceName, MAX_SERVICES).map((entry) => ({ entry, ...readService(entry) }))
  const named = read.filter(({ isMain }) => isMain)
  for (const { entry } of named.slice(1)) {
    addFault(
      entry.node,
      entry.node.keyOffset,
      `${named[0]?.service.name} is the main service already; keep one main: true`,
    )
  }
  read.forEach(({ entry, service }, index) => {
    const twin = read.slice(0, index).find((other) => other.service.label === service.label)
    if (!twin) return
    addFault(entry.node, entry.node.keyOffset, `In host names this is the same as ${twin.service.name}; rename one`)
  })
  const main = named[0] ?? read[0]
  return read.map(({ service }) => ({ ...service, isMain: service === main?.service }))
}

function readService({ name, node }: Entry): { service: Omit<Service, 'isMain'>; isMain: boolean } {
  const field = isNothing(node)
    ? () => undefined
    : readSection(node, ['port', 'health', 'domain', 'main', 'sticky_sessions'])
  const service = {
    name,
    label: serviceLabel(name),
    port: readOptional(field('port'), Port),
    health: readOptional(field('health'), HealthPath),
    domain: readOptional(field('domain'), CustomDomain),
    hasStickySessions: readOptional(field('sticky_sessions'), Flag) ?? false,
  }
  return { service, isMain: readOptional(field('main'), Flag) ?? false }
}

function readDocker(node: ConfigNode | undefined): Omit<DockerConfig, 'recipe' | 'services' | 'actions'> {
  if (!node) return { source: null, profiles: [], release: [], seed: [] }
  const field = readSection(node, ['compose', 'build', 'profiles', 'release', 'seed'])
  return {
    source: readDockerSource(field),
    profiles: readProfiles(field('profiles')),
    release: readReleaseCommands(field('release')),
    seed: readSeedCommands(field('seed')),
  }
}

function readProfiles(node: ConfigNode | undefined): readonly string[] {
  if (!node) return []
  if (!isList(node)) return [readValue(node, Profile)].filter((name) => name !== undefined)
  return (readList(node, MAX_PROFILES) ?? [])
    .map((name) => readValue(name, Profile))
    .filter((name) => name !== undefined)
}

function readDockerSource(field: (key: 'compose' | 'build') => ConfigNode | undefined): DockerSource | null {
  const compose = field('compose')
  const build = field('build')
  if (compose && build)
    addFault(build, build.keyOffset, 'Give either compose or build; the compose file says what to build')
  if (compose) return { type: 'compose', files: readComposeFiles(compose) }
  return build ? readBuild(build) : null
}

function readComposeFiles(node: ConfigNode): readonly string[] {
  if (!isList(node)) return [readValue(node, CheckoutFile)].filter((path) => path !== undefined)
  const files = readList(node, MAX_COMPOSE_FILES)
  if (files?.length === 0) addFault(node, node.offset, 'Name a compose file, or leave this out')
  return (files ?? []).map((file) => readValue(file, CheckoutFile)).filter((path) => path !== undefined)
}

function readBuild(node: ConfigNode): DockerSource {
  if (!isSection(node))
    return { type: 'build', context: readValue(node, CheckoutPath) ?? '.', dockerfile: 'Dockerfile' }
  const field = readSection(node, ['context', 'dockerfile'])
  const context = readOptional(field('context'), CheckoutPath) ?? '.'
  return { type: 'build', context, dockerfile: readOptional(field('dockerfile'), CheckoutFile) ?? 'Dockerfile' }
}

function readManualOf(file: ConfigNode, node: ConfigNode | undefined): Pick<ManualConfig, 'deploy' | 'destroy'> {
  if (node) return readManual(node)
  const sentence = 'The manual recipe needs a section manual with at least one step under deploy'
  addMissingKey(file, 'manual', { offset: file.offset, sentence })
  return { deploy: [], destroy: [] }
}
