// Lists the services of an installation on a Swarm, with their tasks and all nodes. Reads nothing that could hold a value of a variable,
// and each value strictly: any service can carry any label.
import { z } from 'zod'
import { loadScript, shell } from '../../../commands/script.ts'
import type { ContainerOwner } from '../../../domain/compose/project-name.ts'
import type { SwarmNode, SwarmService, SwarmTask, SwarmView } from '../../../domain/swarm/swarm-view.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import { collectOutput } from '../../../remote/collected-output.ts'
import { type Host, TooMuchOutput } from '../../../remote/host.ts'

/** All environments, unless one is named. */
export type Listing = Pick<ContainerOwner, 'installationId'> & { readonly environmentId?: number }

export async function listSwarm(host: Host, { installationId, environmentId }: Listing): Promise<SwarmView> {
  const formats = [SERVICE, TASK, NODE]
  const which = [installationId, ...(environmentId === undefined ? [] : [String(environmentId)])]
  const output = collectOutput(MOST_BYTES)
  await askDocker(host, {
    command: shell(listScript, 'shipway-list-swarm', ...formats, ...which),
    timeoutMs: LIMIT_MS,
    onOutput: output.add,
  })
  const printed = output
    .bytes()
    .toString()
    .split('\n', MOST_LINES + 1)
  // A part would be taken for the whole.
  if (printed.length > MOST_LINES) throw new TooMuchOutput()
  const lines = printed.flatMap(parse)
  const { service = [], task = [], node = [], now = [] } = Object.groupBy(lines, ({ kind }) => kind)
  return {
    services: service.flatMap((line) => Service.safeParse(line).data ?? []),
    tasks: task.flatMap((line) => Task.safeParse(line).data ?? []),
    nodes: node.flatMap((line) => Node.safeParse(line).data ?? []),
    now: now.flatMap((line) => Clock.safeParse(line).data ?? [])[0]?.at ?? 0,
  }
}

/** A line of a task has some 500 bytes, and a Swarm keeps five ended tasks beside one that runs. */
const MOST_BYTES = 4_000_000
const MOST_LINES = 20_000

const listScript = loadScript(import.meta.url, 'list-swarm')

const LIMIT_MS = 60_000

const Line = z.looseObject({ kind: z.enum(['service', 'task', 'node', 'now']) })

const parse = (line: string): readonly z.infer<typeof Line>[] => {
  try {
    return [Line.parse(JSON.parse(line))]
  } catch {
    return []
  }
}

const count = z.coerce.number().int().nonnegative()
/** A label that is not there is an empty text. */
const given = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/)
  .transform(Number)
const text = z.string().catch('')
const moment = z.string().transform((said) => Date.parse(said) || 0)

const Service: z.ZodType<SwarmService> = z.object({
  kind: z.literal('service'),
  id: z.string().min(1),
  name: z.string(),
  environment: count,
  task: count.catch(0),
  previousTask: given.nullable().catch(null),
  service: text,
  mode: text,
  hash: text,
  slot: z.enum(['a', 'b']).nullable().catch(null),
  group: given.nullable().catch(null),
  port: given.nullable().catch(null),
  node: text,
  replicas: z.int().nonnegative().nullable(),
})

const Task: z.ZodType<SwarmTask> = z.object({
  kind: z.literal('task'),
  id: z.string().min(1),
  serviceId: z.string(),
  nodeId: z.string(),
  task: count.catch(0),
  slot: count.catch(0),
  state: z.string(),
  desired: z.string(),
  error: text,
  exitCode: z.int().nullable().catch(null),
  container: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .catch(null),
  createdAt: moment,
  changedAt: moment,
  ports: z
    .array(z.object({ TargetPort: count, PublishedPort: count }))
    .nullable()
    .catch(null)
    .transform((ports) => (ports ?? []).map((own) => ({ target: own.TargetPort, published: own.PublishedPort }))),
})

const Clock = z.object({ kind: z.literal('now'), at: z.number() })

const Node: z.ZodType<SwarmNode> = z
  .object({
    kind: z.literal('node'),
    id: z.string().min(1),
    name: text,
    address: z.string(),
    managerAddress: z.string(),
    role: z.string(),
    state: z.string(),
    availability: z.string(),
    nanoCpus: count,
    processor: text,
    labels: z
      .record(z.string(), z.string())
      .nullable()
      .transform((labels) => labels ?? {}),
  })
  .transform(({ address, managerAddress, nanoCpus, ...node }) => ({
    ...node,
    cpus: nanoCpus / 1e9,
    // Some versions do not say it of the manager that is asked.
    address: /^(?:0\.0\.0\.0|127\.|$)/.test(address) ? managerAddress.replace(/:\d+$/, '') : address,
  }))

const label = (name: string): string => `{{json (index .Spec.Labels "shipway.${name}")}}`

const SERVICE =
  `{"kind":"service","id":{{json .ID}},"name":{{json .Spec.Name}},` +
  ['environment', 'task', 'service', 'mode', 'hash', 'slot', 'group', 'port', 'node']
    .map((name) => `"${name}":${label(name)}`)
    .join(',') +
  `,"replicas":{{with .Spec.Mode.Replicated}}{{json .Replicas}}{{else}}null{{end}}` +
  `,"previousTask":{{with .PreviousSpec}}{{json (index .Labels "shipway.task")}}{{else}}""{{end}}}`

/** Nodes write errors, and may write anything: those of all tasks are in one answer. */
const MOST_ERROR_BYTES = 500

const TASK =
  `{"kind":"task","id":{{json .ID}},"serviceId":{{json .ServiceID}},"nodeId":{{json .NodeID}},"slot":{{json .Slot}},` +
  `"task":{{json (index .Spec.ContainerSpec.Labels "shipway.task")}},` +
  `"state":{{json .Status.State}},"desired":{{json .DesiredState}},"error":{{json (truncate .Status.Err ${MOST_ERROR_BYTES})}},` +
  `"exitCode":{{with .Status.ContainerStatus}}{{json .ExitCode}}{{else}}null{{end}},` +
  `"container":{{with .Status.ContainerStatus}}{{json .ContainerID}}{{else}}null{{end}},` +
  `"createdAt":{{json .CreatedAt}},"changedAt":{{json .Status.Timestamp}},` +
  `"ports":{{with .Status.PortStatus}}{{json .Ports}}{{else}}null{{end}}}`

const NODE =
  `{"kind":"node","id":{{json .ID}},"name":{{json (truncate .Description.Hostname 255)}},"address":{{json .Status.Addr}},` +
  `"managerAddress":{{with .ManagerStatus}}{{json .Addr}}{{else}}""{{end}},"role":{{json .Spec.Role}},` +
  `"state":{{json .Status.State}},"availability":{{json .Spec.Availability}},"labels":{{json .Spec.Labels}},"nanoCpus":{{json .Description.Resources.NanoCPUs}},"processor":{{json (truncate .Description.Platform.Architecture 64)}}}`
