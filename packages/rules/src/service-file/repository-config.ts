// The types of a parsed `.service.yml`, and rules about its values.
import { normaliseDomain } from '@shipway/api/values/hostname'
import { countCharacters, hasControlCharacters } from '@shipway/api/values/text'
import { alternativesOf } from './artifact-glob.ts'

export type RepositoryConfig = DockerConfig | ManualConfig

export const isDockerConfig = (config: RepositoryConfig | null): config is DockerConfig => config?.recipe === 'docker'

export type DockerConfig = Sections & {
  readonly recipe: 'docker'
  /** Null if the file names neither a compose file nor a build: the recipe then tries the usual names. */
  readonly source: DockerSource | null
  /** Of the compose file: services under other profiles are left out. */
  readonly profiles: readonly string[]
  /** Run before each switch, in this order. */
  readonly release: readonly ReleaseCommand[]
  /** Run after the release commands of an environment's first deployment, and of the first one after a reset. */
  readonly seed: readonly ReleaseCommand[]
}

/** Runs once in a container of the new image. */
export type ReleaseCommand = ScriptStep & {
  /** The service whose image, variables, networks and volumes it gets; null for the main one. */
  readonly service: string | null
  readonly runsOnRollback: boolean
}

export type ManualConfig = Sections & {
  readonly recipe: 'manual'
  readonly deploy: readonly ScriptStep[]
  readonly destroy: readonly ScriptStep[]
}

/** In the order of the file. If there are services, exactly one is the main one. */
type Sections = { readonly services: readonly Service[]; readonly actions: readonly Action[] }

export type Service = {
  readonly name: string
  /** The service's part of a host name, as in `pr-7-{label}`; no other service of the file has it. */
  readonly label: string
  readonly port: number | null
  readonly health: string | null
  /** Normalised; may hold `{env}` once. */
  readonly domain: string | null
  readonly isMain: boolean
  /** Requests of one browser go to one container, where the service has several. */
  readonly hasStickySessions: boolean
}

/** Paths are relative to the checkout and do not leave it; links are not resolved here. */
export type DockerSource =
  | { readonly type: 'compose'; readonly files: readonly string[] }
  /** The Dockerfile is relative to the context, as in Compose. */
  | { readonly type: 'build'; readonly context: string; readonly dockerfile: string }

/** The script is passed to a shell as its input, never as an argument. A null timeout means the platform's default. */
export type ScriptStep = { readonly name: string; readonly run: string; readonly timeoutMs: number | null }

export type Action = ReadyAction | DisabledAction

type ReadyAction = {
  readonly name: string
  readonly disabled: null
  readonly run: string
  readonly service: string | null
  readonly artifactPaths: readonly string[]
  readonly timeoutMs: number | null
  readonly schedule: ActionSchedule | null
}

/** When an action runs by itself. */
export type ActionSchedule = {
  readonly cron: string
  readonly timeZone: string
  /** Names of environments; the settings of an environment may say otherwise. */
  readonly environments: readonly string[]
  /** A run that the platform was not there for is made up for once. */
  readonly catchesUp: boolean
}

/** `disabled` says why, and how to migrate. */
type DisabledAction = { readonly name: string; readonly disabled: string }

export type FilePosition = { readonly line: number; readonly column: number }
export type FileFault = FilePosition & { readonly path: string; readonly sentence: string }

/** All faults of the file with their positions, in the order of the file. */
export class RepositoryConfigFault extends Error {
  override readonly name = 'RepositoryConfigFault'
  /** The first fifty; `message` says how many more there are. */
  readonly faults: readonly FileFault[]
  readonly others: number

  constructor(faults: readonly FileFault[], unlisted = 0) {
    const inOrder = [...faults].sort((a, b) => a.line - b.line || a.column - b.column)
    const first = inOrder.slice(0, MAX_FAULTS)
    const lines = first.map(({ line, column, sentence }) => `.service.yml:${line}:${column}: ${sentence}`)
    const others = inOrder.length - first.length + unlisted
    super([...lines, ...(others > 0 ? [`and ${others} more`] : [])].join('\n'))
    this.faults = first
    this.others = others
  }
}

const MAX_FAULTS = 50

/** Compose allows underscores and dots in a service's name; a label of a host name does not. */
export const serviceLabel = (name: string): string => name.replaceAll(/[_.]/g, '-')

/** `pr-1234567-{label}` is one label of a host name: at most 63 letters, digits and hyphens, no hyphen at its end. */
export const isServiceLabel = (label: string): boolean => /^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/.test(label)

/** The one spelling of a custom domain that may hold `{env}` once, or undefined when the text is none. */
export function normaliseCustomDomain(text: string): string | undefined {
  const labels = text.split('.')
  const index = labels.findIndex((label) => label.includes('{env}'))
  const label = labels[index]?.toLowerCase()
  if (label === undefined) return normaliseDomain(text)
  // An international label is encoded as a whole, so the environment's name could not be put into it afterwards.
  if (!/^(?!xn--)[a-z0-9-]*\{env\}[a-z0-9-]*$/.test(label)) return undefined
  const normalised = normaliseDomain(text.replace('{env}', 'pr-7'))?.split('.')
  return normalised?.with(index, label).join('.')
}

/** The name of an unnamed step: the first line of its script. */
export function scriptName(run: string): string {
  const line =
    run
      .trim()
      .split(/[\r\n]/, 1)[0]
      ?.replace(/\p{Cc}+/gu, ' ')
      .trim() ?? ''
  if (countCharacters(line) <= MAX_SCRIPT_NAME) return line
  return `${Array.from(line)
    .slice(0, MAX_SCRIPT_NAME - 1)
    .join('')}…`
}

const MAX_SCRIPT_NAME = 60

/** Such as `90s`, `10m`, `1h` or `1h30m`: from a second to a day. */
export function durationMs(text: string): number | undefined {
  const parts = /^(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,5})s)?$/.exec(text)
  if (!parts) return undefined
  const [, hours = 0, minutes = 0, seconds = 0] = parts
  const total = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000
  return total >= 1000 && total <= 86_400_000 ? total : undefined
}

/** The path without `./` and doubled slashes, or undefined when its words could lead out of the checkout. */
export function normaliseCheckoutPath(text: string): string | undefined {
  if (text === '' || text.length > MAX_PATH || text.startsWith('/') || isUnsafe(text)) return undefined
  // Nothing here decodes %2e, but a later reader of the path might.
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.some((segment) => segment.replace(/%2e/gi, '.') === '..')) return undefined
  const path = segments.join('/') || '.'
  return /^[~-]/.test(path) ? undefined : path
}

/**
 * Stars, question marks, sets and a few alternatives. Extended groups are refused, since matchers turn them into regular
 * expressions that may backtrack for ever; so are negations, which would match everything else.
 */
export function isArtifactGlob(text: string): boolean {
  if (text === '' || text.length > MAX_PATH || /^[/~!-]/.test(text) || isUnsafe(text)) return false
  if (text.includes('..') || /[()|]/.test(text) || text.endsWith('/')) return false
  if (countOf(text, '{') > 4 || countOf(text, '**') > 3 || countOf(text, '*') > 20) return false
  return alternativesOf(text)?.every(isPlain) ?? false
}

/** Braces can combine into words that none of them is alone. */
const isPlain = (pattern: string): boolean =>
  pattern.split('/').every((segment) => !['', '.', '..'].includes(segment)) && !/^[~!-]/.test(pattern)

const MAX_PATH = 500

function isUnsafe(text: string): boolean {
  return !text.isWellFormed() || hasControlCharacters(text) || text.includes('\\')
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1
}
