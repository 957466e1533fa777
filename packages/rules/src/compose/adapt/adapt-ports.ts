// Adapts `ports`: nothing is published on the machine unless an owner has granted it, and then on 127.0.0.1.
import type { ComposeService, JsonObject } from '../model.ts'
import type { Capability } from '../policy/capabilities.ts'
import { isLoopback, objectOf } from '../policy/policy-rules.ts'
import { within } from '../policy/refusal.ts'
import type { Note } from './note.ts'

type Changed = { readonly definition: JsonObject; readonly notes: readonly Note[] }

export function adaptPorts(
  { name, definition, ports }: ComposeService,
  { grants }: { readonly grants: ReadonlySet<Capability> },
): Changed {
  const { ports: given, ...others } = definition
  if (ports.length === 0 || !Array.isArray(given)) return { definition, notes: [] }
  const key = `${within('services', name)}.ports`
  if (grants.has('host_ports')) return published(given, { key, definition, isAnywhere: grants.has('public_ports') })
  // As exposed ports they stay visible in the model.
  const targets = [
    ...new Set(ports.map(({ target, protocol }) => (protocol === 'udp' ? `${target}/udp` : `${target}`))),
  ]
  const expose = [...new Set([...targets, ...(Array.isArray(others.expose) ? others.expose.map(String) : [])])]
  const many = targets.length > 1
  const sentence =
    `${within('services', name)}: nothing is published on the host, ports are left out. ` +
    `${many ? 'Ports' : 'Port'} ${targets.join(', ')} of the container can be routed in .service.yml`
  return { definition: { ...others, expose }, notes: [{ key, sentence }] }
}

type Publishing = { readonly key: string; readonly definition: JsonObject; readonly isAnywhere: boolean }

function published(ports: readonly unknown[], { key, definition, isAnywhere }: Publishing): Changed {
  const isOutside = (port: unknown): boolean => !isAnywhere && !isLoopback(objectOf(port).host_ip)
  if (!ports.some(isOutside)) return { definition, notes: [] }
  const bound = ports.map((port) => (isOutside(port) ? { ...objectOf(port), host_ip: '127.0.0.1' } : port))
  const sentence = `${key}: are published on 127.0.0.1 of the server alone. An organization owner can grant "public_ports"`
  return { definition: { ...definition, ports: bound }, notes: [{ key, sentence }] }
}
