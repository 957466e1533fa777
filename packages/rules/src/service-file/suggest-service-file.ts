// Suggests a `.service.yml` for a commit without one, from its compose file or Dockerfile.
import type { ComposeOutline } from '../compose/compose-outline.ts'
import { isServiceLabel, serviceLabel } from './repository-config.ts'

export type CommitContents = {
  /** The compose file with a usual name; null outline if it could not be read. */
  readonly compose: { readonly file: string; readonly outline: ComposeOutline | null } | null
  readonly dockerfile: { readonly ports: readonly number[] } | null
}

export function suggestServiceFile({ compose, dockerfile }: CommitContents): string {
  if (compose) return forCompose(compose.file, compose.outline)
  return dockerfile ? forDockerfile(dockerfile.ports) : MANUAL
}

/** For a commit without the file: what to add, ready to paste. */
export const missingFileSentence = (suggestion: string): string =>
  `The repository has no .service.yml in its root, which names the services and their ports. Add one and push it, for example:\n\n${suggestion}`

const GUESSED_PORT = 8080

function forCompose(file: string, outline: ComposeOutline | null): string {
  const routed = routedOf(outline?.services ?? [])
  const known = routed.map(
    ({ name, port, health }) => `  ${key(name)}: { port: ${port}${health === null ? '' : `, health: ${health}`} }`,
  )
  const named = nameable(outline?.services ?? [])[0]?.name ?? 'web'
  const guessed = [
    `  # The port that this service listens on, inside its container.`,
    `  ${key(named)}: { port: ${GUESSED_PORT} }`,
  ]
  const services = known.length > 0 ? known : guessed
  return lines('# Recipe: docker. The first service answers at the name of the environment.', [
    'services:',
    ...services,
    'docker:',
    `  compose: ${file}`,
  ])
}

function forDockerfile(ports: readonly number[]): string {
  const [port] = ports
  const guess = ['  # The Dockerfile has no EXPOSE: write the port that the program listens on.']
  return lines('# Recipe: docker.', [
    'services:',
    ...(port === undefined ? guess : []),
    `  web: { port: ${port ?? GUESSED_PORT} }`,
    'docker:',
    '  build: .',
  ])
}

const MANUAL = `# Recipe: manual. The platform allocates a port and passes it in PORT.
services:
  web: {}
manual:
  deploy:
    - name: Start
      run: echo "Replace this step by what starts the program on port $PORT"
`

type ComposeService = ComposeOutline['services'][number]
type Routed = Pick<ComposeService, 'name' | 'health'> & { readonly port: number }

/** Services with a port that are not data stores; likely main services first, judged by their names. */
function routedOf(services: readonly ComposeService[]): readonly Routed[] {
  return nameable(services)
    .flatMap(({ name, ports, health }) => {
      const port = ports.find((one) => !STORES.has(one))
      return port === undefined ? [] : [{ name, port, health }]
    })
    .toSorted((one, other) => Number(isMain(other.name)) - Number(isMain(one.name)))
    .slice(0, MOST_ROUTED)
}

/** As many as the file may name. */
const MOST_ROUTED = 20

/** Usual ports of databases, caches and queues, which do not speak HTTP. */
const STORES: ReadonlySet<number> = new Set([1433, 1521, 2181, 3306, 4222, 5432, 5672, 6379, 9092, 11211, 27017])

const isMain = (name: string): boolean => /^(web|www|app|site|frontend|ui|nginx)$/.test(name)

/** Services whose names can be part of a host name, each once. */
function nameable(services: readonly ComposeService[]): readonly ComposeService[] {
  const seen = new Set<string>()
  return services.filter(({ name }) => {
    const label = serviceLabel(name)
    if (!isServiceLabel(label) || seen.has(label)) return false
    seen.add(label)
    return true
  })
}

/** YAML would read some bare words as something else than a text. */
const key = (name: string): string =>
  /^[a-z][a-z0-9_-]*$/.test(name) && !/^(y|n|yes|no|on|off|true|false|null)$/.test(name) ? name : `"${name}"`

const lines = (comment: string, rest: readonly string[]): string => `${[comment, ...rest].join('\n')}\n`
