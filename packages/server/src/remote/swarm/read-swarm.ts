// Parses what a manager says of its Swarm. It comes from a server, so numbers and lengths are limited.
import type { SwarmNode } from '@shipway/api/servers'
import { canonicalIp } from '@shipway/api/values/ip-address'
import { safeText } from '@shipway/rules/safe-text'
import { z } from 'zod'
import { VOLUME_LABELS } from '../../domain/swarm/place-volumes.ts'
import type { SwarmState } from '../../domain/swarm/swarm-state.ts'
import type { Free } from './read-usage-reports.ts'

const Info = z.object({
  id: z.string().nullable(),
  node: z.string(),
  address: z.string(),
  is_manager: z.boolean(),
})

const Node = z.object({
  id: z.string().regex(/^[a-z0-9]{25}$/),
  name: z.string(),
  role: z.enum(['manager', 'worker']),
  availability: z.enum(['active', 'pause', 'drain']),
  labels: z.record(z.string(), z.string()).nullable(),
  state: z.enum(['unknown', 'down', 'ready', 'disconnected']),
  address: z.string(),
  manager: z.object({ Leader: z.boolean().optional(), Addr: z.string().optional() }).nullable(),
  nano_cpus: z.number().nullable(),
  memory: z.number().nullable(),
})

const MOST_NODES = 500
const MOST_LABELS = 50
const SWARM_ID = /^[a-z0-9]{25}$/

/** Undefined where the machine is no manager of a Swarm. */
export function readSwarm(output: string): SwarmState | undefined {
  const [first = '', rooms = '', ...lines] = output.trimEnd().split('\n')
  const info = Info.safeParse(parse(first))
  const address = canonicalIp(info.data?.address ?? '')
  if (
    !info.success ||
    address === undefined ||
    !info.data.is_manager ||
    info.data.id === null ||
    !SWARM_ID.test(info.data.id)
  )
    return undefined
  const [memory, disk] = rooms.split(' ').map(bytesOf)
  const nodes = lines.slice(0, MOST_NODES).flatMap((line) => {
    const node = Node.safeParse(parse(line))
    if (!node.success) return []
    const isHere = node.data.id === info.data.node
    return [toNode(node.data, isHere ? { memory: memory ?? null, disk: disk ?? null } : { memory: null, disk: null })]
  })
  return { id: info.data.id, address, nodes: nodes.toSorted(byName) }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** From KiB. A dash where it could not be measured. */
const bytesOf = (text: string): number | null => (/^[0-9]{1,12}$/.test(text) ? Number(text) * 1024 : null)

const clip = (text: string): string => safeText(text).slice(0, 200)

function toNode(node: z.infer<typeof Node>, free: Free): SwarmNode {
  const chosen = Object.entries(node.labels ?? {}).filter(([key]) => !key.startsWith(VOLUME_LABELS))
  const labels = chosen.slice(0, MOST_LABELS)
  return {
    id: node.id,
    name: clip(node.name),
    role: node.role,
    is_leader: node.manager?.Leader === true,
    state: node.state,
    availability: node.availability,
    // A manager that names itself by 0.0.0.0 is reached at the address that it votes from.
    address: clip(node.address === '0.0.0.0' ? withoutPort(node.manager?.Addr ?? node.address) : node.address),
    labels: Object.fromEntries(labels.map(([key, value]) => [clip(key), clip(value)])),
    cpus: bounded((node.nano_cpus ?? 0) / 1e9),
    memory_bytes: Math.round(bounded(node.memory ?? 0)),
    free_memory_bytes: free.memory,
    free_disk_bytes: free.disk,
  }
}

const withoutPort = (address: string): string => address.replace(/:[0-9]{1,5}$/, '')
const bounded = (value: number): number => Math.min(Math.max(value, 0), 2 ** 52)
const byName = (one: SwarmNode, other: SwarmNode): number =>
  one.name.localeCompare(other.name) || one.id.localeCompare(other.id)
