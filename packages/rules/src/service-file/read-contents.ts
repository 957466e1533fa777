// Reads what is needed to suggest a `.service.yml` for a commit.
import { posix } from 'node:path'
import { type ComposeOutline, outlineCompose, type ServiceOutline } from '../compose/compose-outline.ts'
import { readComposeDocument, UnreadableFile } from '../compose/read-compose-document.ts'
import { parseDotenv } from '../compose/source/dotenv.ts'
import { activeServices } from './choose-profiles.ts'
import { chooseRoutes, type RoutableService, type Routing } from './choose-routes.ts'
import { exposedPorts, mentionedPorts } from './exposed-ports.ts'
import { type CommitTree, rankComposeFiles } from './find-compose-files.ts'
import { mergeOutlines } from './merge-outlines.ts'
import { isStore, isTool, visitorPorts } from './service-roles.ts'
import type { CommitContents } from './suggest-service-file.ts'

type Read = CommitTree['read']

type ComposeFile = {
  readonly file: string
  readonly content: Uint8Array
  /** Values of variables that the file may use. */
  readonly values: Readonly<Record<string, string>>
}

type Outline = (file: ComposeFile) => Promise<ComposeOutline | null>

/** `outline` reads a compose file, perhaps in a thread. */
export async function readContents(
  tree: CommitTree,
  outline: Outline = async (file) => outlineOf(file),
): Promise<CommitContents> {
  const { read } = tree
  const paths = await rankComposeFiles(tree)
  const found = await findFirst(paths.usual, read)
  const compose = found && (await readCompose(found, read, outline))
  const dockerfile = await read('Dockerfile')
  // A file of stores and tools alone is for development: the program itself is what the Dockerfile builds.
  if (dockerfile !== undefined && (!compose || compose.isForStores)) {
    const variants = await readInTurn(paths.rootVariants, { read, outline, fits: isWithStores })
    return variants.fitting
      ? { compose: variants.fitting, dockerfile: null }
      : { compose: null, dockerfile: { ports: webPortsIn(dockerfile) } }
  }
  if (compose && !compose.isForStores) return { compose, dockerfile: null }
  // Without a Dockerfile, the program itself may be in another file.
  const programs = await readInTurn(compose ? paths.deployed : paths.others, { read, outline, fits: answersVisitors })
  return { compose: programs.fitting ?? compose ?? programs.first, dockerfile: null }
}

type FoundFile = { readonly file: string; readonly content: Uint8Array | string }

async function findFirst(paths: readonly string[], read: Read): Promise<FoundFile | null> {
  for (const file of paths) {
    const content = await read(file)
    if (content !== undefined) return { file, content }
  }
  return null
}

type Reading = { readonly read: Read; readonly outline: Outline; readonly fits: (compose: ReadCompose) => boolean }

/** Reads files until one fits. */
async function readInTurn(
  paths: readonly string[],
  { read, outline, fits }: Reading,
): Promise<{ readonly fitting: ReadCompose | null; readonly first: ReadCompose | null }> {
  let first: ReadCompose | null = null
  for (const path of paths) {
    const found = await findFirst([path], read)
    const compose = found && (await readCompose(found, read, outline))
    first ??= compose
    if (compose && fits(compose)) return { fitting: compose, first }
  }
  return { fitting: null, first }
}

/** It runs the application together with its stores, which a lone Dockerfile would miss. */
const isWithStores = (compose: ReadCompose): boolean => answersVisitors(compose) && compose.hasStores

const answersVisitors = ({ routing, isForStores }: ReadCompose): boolean =>
  routing !== null && routing.routes.length > 0 && !isForStores

type ReadCompose = NonNullable<CommitContents['compose']> & {
  readonly isForStores: boolean
  readonly hasStores: boolean
}

async function readCompose({ file, content }: FoundFile, read: Read, outline: Outline): Promise<ReadCompose> {
  const folder = posix.dirname(file)
  const values = await readValues(folder, read)
  const outlineFile = async (one: FoundFile): Promise<ComposeOutline | null> =>
    typeof one.content === 'string' ? null : outline({ file: one.file, content: one.content, values })
  const own = await outlineFile({ file, content })
  if (!own) return { files: [file], routing: null, isForStores: false, hasStores: false }
  const profiles = (values.COMPOSE_PROFILES ?? '').split(',').map((name) => name.trim())
  const routingOf = async ({ services }: ComposeOutline): Promise<Routing> =>
    chooseRoutes(await withDockerfiles(services, folder, read), profiles)
  const whole = await withCompanion(own, { file, read, outlineFile, routingOf })
  const routing = await routingOf(whole.outline)
  const active = activeServices(whole.outline.services, new Set(routing.profiles))
  return {
    files: whole.files,
    routing,
    isForStores: active.length > 0 && active.every(isTool),
    hasStores: whole.outline.services.some(isStore),
  }
}

/** Values of the committed `.env`, else of the example that people copy to it. */
async function readValues(folder: string, read: Read): Promise<Readonly<Record<string, string>>> {
  const values = new Map<string, string>()
  for (const name of ENV_FILES) {
    const content = await read(posix.join(folder, name))
    if (!(content instanceof Uint8Array)) continue
    for (const [key, value] of parseDotenv(new TextDecoder().decode(content)))
      if (!values.has(key)) values.set(key, value)
  }
  return Object.fromEntries(values)
}

const ENV_FILES = ['.env', '.env.example', '.env.sample', '.env.dist', 'env.example', 'example.env']

type Companion = {
  readonly file: string
  readonly read: Read
  readonly outlineFile: (found: FoundFile) => Promise<ComposeOutline | null>
  readonly routingOf: (outline: ComposeOutline) => Promise<Routing>
}

/** Adds the file beside it that completes it: its services have no image, or nothing says what answers visitors. */
async function withCompanion(
  own: ComposeOutline,
  { file, read, outlineFile, routingOf }: Companion,
): Promise<{ readonly files: readonly string[]; readonly outline: ComposeOutline }> {
  const isWhole = async (outline: ComposeOutline): Promise<boolean> => {
    const { routes } = await routingOf(outline)
    const main = outline.services.find(({ name }) => name === routes[0]?.name)
    const isSaid = main !== undefined && [main.published, main.proxied, main.exposed].some((ports) => ports.length > 0)
    return isSaid && outline.services.every(({ isComplete }) => isComplete)
  }
  if (own.services.length === 0 || own.services.every(isStore) || (await isWhole(own)))
    return { files: [file], outline: own }
  const isIncomplete = own.services.some(({ isComplete }) => !isComplete)
  const { override, production } = companionsOf(file)
  for (const path of isIncomplete ? [...production, ...override] : [...override, ...production]) {
    const content = await read(path)
    const other = content === undefined ? null : await outlineFile({ file: path, content })
    const merged = other && mergeOutlines(own, other)
    if (merged && (await isWhole(merged))) return { files: [file, path], outline: merged }
  }
  return { files: [file], outline: own }
}

/** Files that projects merge with a compose file, in the same folder. */
function companionsOf(file: string): {
  readonly override: readonly string[]
  readonly production: readonly string[]
} {
  const stem = file.replace(/\.ya?ml$/, '')
  const named = (kind: string): readonly string[] => [`${stem}.${kind}.yml`, `${stem}.${kind}.yaml`]
  return { override: named('override'), production: ['prod', 'production'].flatMap(named) }
}

const portsIn = (dockerfile: Uint8Array | string | undefined, target: string | null = null): readonly number[] => {
  const text = dockerfile instanceof Uint8Array ? new TextDecoder().decode(dockerfile) : ''
  const exposed = exposedPorts(text, target)
  return exposed.length > 0 ? exposed : mentionedPorts(text, target)
}

/** Those that may answer visitors first. */
function webPortsIn(dockerfile: Uint8Array | string | undefined): readonly number[] {
  const all = portsIn(dockerfile)
  const usable = visitorPorts(
    { name: 'web', image: null, build: null },
    all.map((port) => ({ port })),
  )
  return usable.length > 0 ? usable.map(({ port }) => port) : all
}

/** Limits the number of files to read. */
const MOST_DOCKERFILES = 10

/** For services without ports in the compose file, or with several, the Dockerfile may name the one. */
async function withDockerfiles(
  services: readonly ServiceOutline[],
  folder: string,
  read: Read,
): Promise<readonly RoutableService[]> {
  const contents = new Map<string, string>()
  // The only program of the file is what the repository builds, even if the file names its published image.
  const programs = services.filter((service) => !isTool(service))
  const pathOf = (service: ServiceOutline): string => {
    if (service.build !== null) return posix.join(folder, service.build.dockerfile)
    return programs.length === 1 && programs[0] === service ? 'Dockerfile' : ''
  }
  const unclear = services.filter(({ published, proxied, exposed }) =>
    published.length === 0 ? proxied.length + exposed.length === 0 : published.length > 1,
  )
  const paths = [...new Set(unclear.map(pathOf))].filter((path) => path !== '' && !path.startsWith('..'))
  for (const path of paths.slice(0, MOST_DOCKERFILES)) {
    const content = await read(path)
    if (content instanceof Uint8Array) contents.set(path, new TextDecoder().decode(content))
  }
  return services.map((service) => {
    const text = contents.get(pathOf(service)) ?? ''
    const target = service.build?.target ?? null
    return {
      ...service,
      inDockerfile: exposedPorts(text, target),
      mentionedInDockerfile: mentionedPorts(text, target),
    }
  })
}

/** Null if the platform cannot read it as a compose file. */
export function outlineOf({ file, content, values }: ComposeFile): ComposeOutline | null {
  try {
    return outlineCompose(readComposeDocument(content, file), values)
  } catch (error) {
    if (error instanceof UnreadableFile) return null
    throw error
  }
}
