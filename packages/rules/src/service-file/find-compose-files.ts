// Ranks all files of the repository that are named like a compose file, for the one that a `.service.yml` is suggested for.
//
// The root comes first, then folders where people keep what they deploy. Variants, files in other folders and examples show one part or one
// of several ways, so a Dockerfile in the root comes before them, except before a variant in the root that brings its stores along. Files for
// a developer's machine come last, files for tests never.
import { posix } from 'node:path'
import { USUAL_NAMES } from './find-compose-source.ts'

/** What is read of a repository. Returns a sentence for a file that exists and cannot be read. */
export type CommitTree = {
  read(path: string): Promise<Uint8Array | string | undefined>
  /** Paths of the files for which `isComposePath` holds. */
  listComposeFiles(): Promise<readonly string[]>
}

/** Paths, the likeliest first. */
export type RankedComposeFiles = {
  /** In the root, or where people keep what they deploy. */
  readonly usual: readonly string[]
  /** Variants in the root, such as `docker-compose.mysql.yml`. */
  readonly rootVariants: readonly string[]
  /** All but examples and files for developers. */
  readonly deployed: readonly string[]
  /** All but the usual ones. */
  readonly others: readonly string[]
}

/** A repository can have any number of them. */
export const MOST_COMPOSE_FILES = 500
const MOST_FOLDERS = 5
/** Limits the number of files to read. */
const MOST_OTHERS = 8

/** Whether a file is named like a compose file, and not too deep to be the one of the repository. */
export const isComposePath = (path: string): boolean =>
  COMPOSE_NAME.test(posix.basename(path)) && foldersOf(path).length <= MOST_FOLDERS

/** Such as `docker-compose.yml`, `compose.prod.yaml`, `docker-compose-full.yml`, `production.compose.yml`. */
const COMPOSE_NAME = /^(?:[\w-]+\.)?(?:docker-)?compose(?:[._-][\w.-]+)?\.ya?ml$/i

/** Folders where people keep what they deploy, the likeliest first. */
const FOLDERS = [
  'docker/production',
  'docker/prod',
  'docker',
  'deploy',
  'deployment',
  'deployments',
  'infra',
  'infrastructure',
  '.docker',
  'docker/compose',
  'deploy/docker',
  'deploy/compose',
  'deploy/docker-compose',
  'docker/community',
  'docker/images',
  'docker/self-host',
  'self-host',
  'selfhost',
  'hosting',
  'server',
  'backend',
  'ops',
  'docker-compose',
  'compose',
  'src',
  'scripts',
]

const PRODUCTION = /^(?:prod|production|release|stable)$/i
/** Files that people copy to the usual name, and do not commit. */
const TO_COPY = /^(?:example|sample|dist|template)$/i
const NEVER =
  /^(?:tests?|testing|__tests__|specs?|e2e|ci|fixtures?|testdata|mocks?|bench|benchmarks?|devcontainer|github|gitlab|node_modules|vendor|third_party|override|debug|delve)$/i
const DEVELOPMENT = /^(?:dev|devel|development|local|localhost)$/i
const EXAMPLE = /^(?:examples?|samples?|demos?|contrib|docs?|tutorials?|templates?|playground)$/i
/** Needs several machines. */
const CLUSTER = /^(?:cluster|swarm|ha|distributed|k8s|kubernetes)$/i

type Candidate = { readonly path: string; readonly tier: number; readonly rank: readonly (number | string)[] }

/** In this order. The first three come before a Dockerfile in the root. */
const TIER = {
  root: 0,
  usualFolder: 1,
  toCopy: 2,
  rootVariant: 3,
  variant: 4,
  otherFolder: 5,
  example: 6,
  development: 7,
} as const

export async function rankComposeFiles(tree: CommitTree): Promise<RankedComposeFiles> {
  const paths = (await tree.listComposeFiles()).filter(isComposePath).slice(0, MOST_COMPOSE_FILES)
  const candidates = paths.flatMap((path) => rankOf(path) ?? []).toSorted((one, other) => compare(one.rank, other.rank))
  const those = (isWanted: (tier: number) => boolean): readonly string[] =>
    candidates.filter(({ tier }) => isWanted(tier)).map(({ path }) => path)
  const [usual] = those((tier) => tier <= TIER.toCopy)
  return {
    // Names that are not listed are tried as well: the client says which of them git ignores, once they are asked for.
    usual: usual === undefined ? USUAL_NAMES : [usual],
    rootVariants: those((tier) => tier === TIER.rootVariant).slice(0, MOST_OTHERS),
    deployed: those((tier) => tier < TIER.example).slice(0, MOST_OTHERS),
    others: those((tier) => tier > TIER.toCopy).slice(0, MOST_OTHERS),
  }
}

/** Undefined for a file that is never suggested. */
function rankOf(path: string): Candidate | undefined {
  const folders = foldersOf(path)
  const kinds = kindsOf(posix.basename(path))
  const words = folders.flatMap((folder) => folder.split(/[._-]/))
  if ([...words, ...kinds].some((word) => NEVER.test(word))) return undefined
  const name = nameRank(posix.basename(path), kinds)
  const tier = kinds.some((kind) => DEVELOPMENT.test(kind)) ? TIER.development : tierOf(folders, name)
  const cluster = [...words, ...kinds].some((word) => CLUSTER.test(word)) ? 1 : 0
  return { path, tier, rank: [tier, cluster, folderRank(folders), folders.length, name, path] }
}

const NAME = { production: 10, toCopy: 11, variant: 12 } as const

function nameRank(name: string, kinds: readonly string[]): number {
  const usual = USUAL_NAMES.indexOf(name)
  if (usual >= 0) return usual
  if (kinds.some((kind) => TO_COPY.test(kind))) return NAME.toCopy
  return kinds.some((kind) => PRODUCTION.test(kind)) ? NAME.production : NAME.variant
}

function tierOf(folders: readonly string[], name: number): number {
  const isMain = name <= NAME.production
  if (folders.length === 0) return isMain ? TIER.root : name === NAME.toCopy ? TIER.toCopy : TIER.rootVariant
  if (FOLDERS.includes(folders.join('/'))) return isMain ? TIER.usualFolder : TIER.variant
  if (folders.some((folder) => EXAMPLE.test(folder))) return TIER.example
  return folders.some((folder) => DEVELOPMENT.test(folder)) ? TIER.development : TIER.otherFolder
}

/** Folders below a usual one come before others. */
function folderRank(folders: readonly string[]): number {
  const own = FOLDERS.indexOf(folders.join('/'))
  const above = FOLDERS.indexOf(folders[0] ?? '')
  return own >= 0 ? own : above >= 0 ? above : FOLDERS.length
}

/** What a name says beside `compose`: of `docker-compose.prod.yml`, `prod`. */
const kindsOf = (name: string): readonly string[] =>
  name
    .replace(/\.ya?ml$/i, '')
    .split(/[._-]/)
    .filter((word) => word !== '' && !/^(?:docker|compose)$/i.test(word))

const foldersOf = (path: string): readonly string[] => path.split('/').slice(0, -1)

function compare(one: Candidate['rank'], other: Candidate['rank']): number {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? 0
    if (value !== against) return value < against ? -1 : 1
  }
  return 0
}
