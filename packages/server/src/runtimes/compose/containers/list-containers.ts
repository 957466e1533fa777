// Lists the containers of an environment. Reads nothing that could hold a value of a variable.
import { z } from 'zod'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import { publishedPorts } from '../ports/used-ports.ts'

export type Container = z.infer<typeof Container>

const text = z.string().catch('')

const Container = z.object({
  id: z.string(),
  service: text,
  /** The task that started it. */
  task: z.coerce.number().catch(0),
  slot: z.enum(['a', 'b']).nullable().catch(null),
  hash: text,
  mode: text,
  /** `replaced`: it took the place of another container, which is gone. */
  origin: text,
  status: z.string(),
  /** By its own health check; docker reports it beside the uptime. */
  health: z.string().transform((said) => /\((?:health: )?(\w+)\)$/.exec(said)?.[1] ?? null),
  /** The task whose networks it was started in; 0 where its release had no networks of its own. */
  release: z.coerce.number().catch(0),
  /** Names of the networks that it is in, or joins when it starts. */
  networks: z
    .array(z.string())
    .or(z.string().transform((names) => names.split(',').filter(Boolean)))
    .catch([]),
  /** Published on the machine while it runs. */
  ports: z.string().transform(publishedPorts).or(z.array(z.number())),
  /** Compose appends the number to its name; and the version of Compose. */
  number: z.coerce.number().catch(0),
  composeVersion: text,
})

export async function listContainers(
  host: Host,
  { installationId, environmentId }: ContainerOwner,
): Promise<Container[]> {
  const command = dockerScript('list-containers', installationId, String(environmentId), FORMAT)
  const lines = (await askDocker(host, command)).split('\n').filter(Boolean)
  return lines.map((line) => Container.parse(JSON.parse(line)))
}

const labels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['service', 'task', 'release', 'slot', 'hash', 'mode', 'origin'].map((name) => [name, `shipway.${name}`] as const),
  ),
  number: 'com.docker.compose.container-number',
  composeVersion: 'com.docker.compose.version',
}

type Listed = {
  readonly id: string
  readonly status: string
  readonly health: string
  readonly ports: readonly number[]
  readonly networks: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

/** Reads one from a list of the Engine API. */
export function readContainer({ labels: own, ...listed }: Listed): Container {
  const labelled = Object.entries(labels).map(([name, label]) => [name, own[label] ?? ''])
  return Container.parse({ ...listed, ...Object.fromEntries(labelled) })
}

const FORMAT = `{${[
  '"id":{{json .ID}},"status":{{json .State}},"health":{{json .Status}},"ports":{{json .Ports}},"networks":{{json .Networks}}',
  ...Object.entries(labels).map(([name, label]) => `"${name}":{{json (.Label "${label}")}}`),
].join(',')}}`
