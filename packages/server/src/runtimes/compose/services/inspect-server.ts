// Asks a server in one command which containers it has, and what its ports answer. Reads each value strictly: a server may say anything.
import { z } from 'zod'
import { loadScript, shell } from '../../../commands/script.ts'
import type { PortAnswer, SeenContainer } from '../../../domain/service-state.ts'
import type { Host } from '../../../remote/host.ts'

export type FoundContainer = Omit<SeenContainer, 'restarts'> & {
  readonly id: string
  readonly environmentId: number
  readonly service: string
  readonly task: number
  readonly slot: 'a' | 'b' | null
}

type PortToTry = { readonly port: number; readonly path: string; readonly host: string }

export type ServerView = {
  /** Undefined where Docker was not asked, or did not answer. */
  readonly containers: readonly FoundContainer[] | undefined
  readonly answers: ReadonlyMap<number, PortAnswer>
}

/** `installationId` is null where no container is of interest. */
type Question = { readonly installationId: string | null; readonly ports: readonly PortToTry[] }

/** A visitor waits no longer for an answer, either. */
const HEALTH_TIMEOUT_SECONDS = 5
/** In one command: as many as curl tries at once. */
const MOST_PORTS = 200
const LIMIT_MS = 30_000

export async function inspectServer(host: Host, { installationId, ports }: Question): Promise<ServerView> {
  const first = await inspect(host, installationId, ports.slice(0, MOST_PORTS))
  const answers = new Map(first.answers)
  for (let from = MOST_PORTS; from < ports.length; from += MOST_PORTS) {
    const more = await inspect(host, null, ports.slice(from, from + MOST_PORTS))
    for (const [port, answer] of more.answers) answers.set(port, answer)
  }
  return { containers: first.containers, answers }
}

async function inspect(host: Host, installationId: string | null, ports: readonly PortToTry[]): Promise<ServerView> {
  const words = ports.flatMap(({ port, path, host: name }) => [String(port), path, name])
  const command = shell(
    inspectScript,
    'shipway-inspect-services',
    ...[installationId ?? '', FORMAT, String(HEALTH_TIMEOUT_SECONDS), ...words],
  )
  const { stdout } = await host.run(command, { timeoutMs: LIMIT_MS })
  const lines = stdout.toString().split('\n')
  const asked = new Set(ports.map(({ port }) => port))
  return {
    containers: installationId === null || lines.includes('unasked') ? undefined : lines.flatMap(readContainer),
    answers: new Map(lines.flatMap(readPort).filter(([port]) => asked.has(port))),
  }
}

const inspectScript = loadScript(import.meta.url, 'inspect-services')

const FORMAT = `{${[
  '"id":{{json .ID}},"status":{{json .State}},"said":{{json .Status}}',
  ...['environment', 'service', 'task', 'slot'].map((name) => `"${name}":{{json (.Label "shipway.${name}")}}`),
].join(',')}}`

const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,15}$/)
  .transform(Number)

const Container = z.object({
  id: z.string().regex(/^[0-9a-f]{64}$/),
  environment: wholeNumber,
  service: z.string().min(1).max(200),
  task: wholeNumber.catch(0),
  slot: z.enum(['a', 'b']).nullable().catch(null),
  status: z.string().max(50),
  /** `Up 3 minutes (healthy)`, `Exited (137) 5 seconds ago`. */
  said: z.string().max(200),
})

function readContainer(line: string): readonly FoundContainer[] {
  if (!line.startsWith('{') || line.length > 2_000) return []
  const { data } = Container.safeParse(parseJson(line))
  if (!data) return []
  const { environment: environmentId, said, ...container } = data
  const [, health = null] = /\((?:health: )?(healthy|unhealthy|starting)\)$/.exec(said) ?? []
  const [, code] = /^(?:Exited|Restarting) \((-?[0-9]{1,9})\)/.exec(said) ?? []
  const isYoung = /^Up (?:Less than a second|[0-9]+ seconds?)\b/.test(said)
  return [{ ...container, environmentId, health, isYoung, exitCode: code === undefined ? null : Number(code) }]
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function readPort(line: string): readonly (readonly [number, PortAnswer])[] {
  const [, port, code, connected] = /^port ([0-9]{1,5}) ([0-9]{3}) ([0-9.]{1,20})$/.exec(line) ?? []
  if (port === undefined) return []
  return [[Number(port), code !== '000' ? 'answered' : Number(connected) > 0 ? 'silent' : 'refused']]
}
