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

/** Throws a RepositoryConfigFault that names every fault with its line and column; there is no other error. */
export function readRepositoryConfig(content: string | Uint8Array, recipe: 'docker'): DockerConfig
export function readRepositoryConfig(content: string | Uint8Array, recipe: 'manual'): ManualConfig
export function readRepositoryConfig(content: string | Uint8Array, recipe: Recipe): RepositoryConfig
export function readRepositoryConfig(content: string | Uint8Array, recipe: Recipe): RepositoryConfig {
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
  const config: RepositoryConfig =
    recipe === 'docker'
      ? { recipe, services, actions, ...readDocker(section('docker')) }
      : { recipe, services, actions, ...readManualOf(file, section('manual')) }
  if (faults.length > 0) throw new RepositoryConfigFault(faults)
  return config
}

const MAX_SERVICES = 20
const MAX_COMPOSE_FILES = 20
const MAX_PROFILES = 20

function readServices(place: ConfigNode | undefined): readonly Service[] {
  if (!place) return []
  const read = readEntries(place, RoutedServiceName, MAX_SERVICES).map((entry) => ({ entry, ...readService(entry) }))
  const named = read.filter(({ isMain }) => isMain)
  for (const { entry } of named.slice(1)) {
    addFault(
      entry.place,
      entry.place.keyOffset,
      `${named[0]?.service.name} is the main service already; keep one main: true`,
    )
  }
  read.forEach(({ entry, service }, index) => {
    const twin = read.slice(0, index).find((other) => other.service.label === service.label)
    if (!twin) return
    addFault(entry.place, entry.place.keyOffset, `In host names this is the same as ${twin.service.name}; rename one`)
  })
  const main = named[0] ?? read[0]
  return read.map(({ service }) => ({ ...service, isMain: service === main?.service }))
}

function readService({ name, place }: Entry): { service: Omit<Service, 'isMain'>; isMain: boolean } {
  const field = isNothing(place) ? () => undefined : readSection(place, ['port', 'health', 'domain', 'main'])
  const service = {
    name,
    label: serviceLabel(name),
    port: readOptional(field('port'), Port),
    health: readOptional(field('health'), HealthPath),
    domain: readOptional(field('domain'), CustomDomain),
  }
  return { service, isMain: readOptional(field('main'), Flag) ?? false }
}

function readDocker(place: ConfigNode | undefined): Omit<DockerConfig, 'recipe' | 'services' | 'actions'> {
  if (!place) return { source: null, profiles: [], release: [], seed: [] }
  const field = readSection(place, ['compose', 'build', 'profiles', 'release', 'seed'])
  return {
    source: readDockerSource(field),
    profiles: readProfiles(field('profiles')),
    release: readReleaseCommands(field('release')),
    seed: readSeedCommands(field('seed')),
  }
}

function readProfiles(place: ConfigNode | undefined): readonly string[] {
  if (!place) return []
  if (!isList(place)) return [readValue(place, Profile)].filter((name) => name !== undefined)
  return (readList(place, MAX_PROFILES) ?? [])
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

function readComposeFiles(place: ConfigNode): readonly string[] {
  if (!isList(place)) return [readValue(place, CheckoutFile)].filter((path) => path !== undefined)
  const files = readList(place, MAX_COMPOSE_FILES)
  if (files?.length === 0) addFault(place, place.offset, 'Name a compose file, or leave this out')
  return (files ?? []).map((file) => readValue(file, CheckoutFile)).filter((path) => path !== undefined)
}

function readBuild(place: ConfigNode): DockerSource {
  if (!isSection(place))
    return { type: 'build', context: readValue(place, CheckoutPath) ?? '.', dockerfile: 'Dockerfile' }
  const field = readSection(place, ['context', 'dockerfile'])
  const context = readOptional(field('context'), CheckoutPath) ?? '.'
  return { type: 'build', context, dockerfile: readOptional(field('dockerfile'), CheckoutFile) ?? 'Dockerfile' }
}

function readManualOf(file: ConfigNode, place: ConfigNode | undefined): Pick<ManualConfig, 'deploy' | 'destroy'> {
  if (place) return readManual(place)
  const sentence = 'The manual recipe needs a section manual with at least one step under deploy'
  addMissingKey(file, 'manual', { offset: file.offset, sentence })
  return { deploy: [], destroy: [] }
}
