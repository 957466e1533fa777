// Outlines the services of a compose file: container ports and health paths, as far as the file names them. Accepts any document, and
// skips what is not valid.
import { posix } from 'node:path'

export type ComposeOutline = { readonly services: readonly ServiceOutline[] }

type ServiceOutline = {
  readonly name: string
  readonly ports: readonly number[]
  /** What its image is built from, in the folder of the file. */
  readonly dockerfile: string | null
  /** The path that its own health check asks for. */
  readonly health: string | null
}

/** More than a project routes. */
const MOST_SERVICES = 200
const MOST_PORTS = 50

export function outlineCompose(document: unknown): ComposeOutline {
  const services = isObject(document) && isObject(document.services) ? document.services : {}
  return {
    services: Object.entries(services)
      .slice(0, MOST_SERVICES)
      .map(([name, service]) => ({ name, ...(isObject(service) ? outlineService(service) : NOTHING) })),
  }
}

const NOTHING = { ports: [], dockerfile: null, health: null }

const outlineService = (service: Readonly<Record<string, unknown>>): Omit<ServiceOutline, 'name'> => ({
  ports: portsOf(service),
  dockerfile: dockerfileOf(service.build),
  health: healthOf(service.healthcheck),
})

/** Of a build with a context in the checkout and no Dockerfile elsewhere. */
function dockerfileOf(build: unknown): string | null {
  const { context = '.', dockerfile = 'Dockerfile' } = isObject(build) ? build : { context: build }
  if (build === undefined || typeof context !== 'string' || typeof dockerfile !== 'string') return null
  const path = posix.join(context, dockerfile)
  return /^[\w@+./-]{1,200}$/.test(path) && !path.startsWith('/') && !path.startsWith('..') ? path : null
}

/** `curl -f http://localhost:3000/healthz` and the like: of a request to itself, the path. */
function healthOf(healthcheck: unknown): string | null {
  const test = isObject(healthcheck) ? healthcheck.test : undefined
  const words = (Array.isArray(test) ? test : [test]).filter((word) => typeof word === 'string').join(' ')
  const [, path] =
    /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::[0-9]{1,5})?(\/[\w./-]{1,100})/.exec(
      words.slice(0, 1_000),
    ) ?? []
  return path ?? null
}

/** Published ports first: they are meant for visitors. */
function portsOf({ ports, expose }: Readonly<Record<string, unknown>>): readonly number[] {
  const entries = [...listOf(ports), ...listOf(expose)].slice(0, MOST_PORTS)
  return [...new Set(entries.flatMap((entry) => containerPort(entry) ?? []))]
}

/** `8080:80`, `127.0.0.1:8080:80/tcp`, `80`, or `{ target: 80 }`. Of a range it is the first; UDP is not routed. */
function containerPort(entry: unknown): number | undefined {
  if (isObject(entry)) return entry.protocol === 'udp' ? undefined : containerPort(entry.target)
  if (typeof entry !== 'string' && typeof entry !== 'number') return undefined
  const port = Number(/(?:^|:)([0-9]{1,5})(?:-[0-9]{1,5})?(?:\/tcp)?$/.exec(String(entry).slice(-200))?.[1])
  return port >= 1 && port <= 65_535 ? port : undefined
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
