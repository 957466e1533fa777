// Allocates the ports that containers publish on. They are free on the server, or used by containers of this environment alone.
//
// A routed service has two ports on the server for its whole life, and alternates between them: a new container publishes on the one that the
// old container does not use.

import type { Deployment } from '../../../deployment/deployment.ts'
import type { Prefetch } from '../../../deployment/prefetch.ts'
import type { StepIo } from '../../../deployment/run.ts'
import type { NamedService } from '../../../domain/service-domains.ts'
import type { UsedPorts } from '../../runtime.ts'
import { type RuntimeContext, replacedSentence, type SlotPort } from '../../runtime-context.ts'
import { findUsedPorts } from './used-ports.ts'

type Io = Pick<StepIo, 'host' | 'say'>
type SlotAllocation = Pick<RuntimeContext, 'allocateSlots'>
type Ids = Deployment['ids']

/** A service has two ports and alternates between them: the new container starts beside the old one. */
const SLOTS = ['a', 'b'] as const

export async function allocateSlots(
  io: StepIo,
  context: SlotAllocation,
  { usedPorts, services }: { readonly usedPorts: Prefetch<UsedPorts>; readonly services: readonly NamedService[] },
): Promise<readonly SlotPort[]> {
  const { inUse, own } = await usedPorts.result(io)
  const names = services.map(({ service }) => service.name)
  const foreign = new Set([...inUse].filter((port) => !own.has(port)))
  const ports = await context.allocateSlots(names, { slots: SLOTS, inUse, foreign })
  reportReplaced(io.say, ports)
  return ports
}

function reportReplaced(say: Io['say'], ports: readonly SlotPort[]): void {
  for (const port of ports.filter(({ insteadOf }) => insteadOf !== undefined)) say(replacedSentence(port))
}

type Publishing = { readonly name: string; readonly port: number | null; readonly slot: SlotPort['slot'] | null }
type FailedStart = {
  readonly ids: Ids
  readonly services: readonly Publishing[]
  readonly said: string
}

/** A port that Docker could not publish, and the one that replaces it. */
export type TakenPort = { readonly service: string; readonly port: number; readonly insteadOf: number }

/**
 * Another program can take a port between the check and the start, or use it in a way that no check sees. May be repeated: a port that
 * was replaced already is not replaced again.
 */
export async function replaceTaken(
  { host, say }: Io,
  context: SlotAllocation,
  { ids, services, said }: FailedStart,
): Promise<readonly TakenPort[]> {
  if (!/address already in use|port is already allocated/.test(said)) return []
  const taken = services.filter(({ port }) => port !== null && new RegExp(`127\\.0\\.0\\.1:${port}\\b`).test(said))
  const ports = new Set(taken.flatMap(({ port }) => port ?? []))
  const { inUse } = await findUsedPorts(host, ids)
  const names = taken.map(({ name }) => name)
  const seen = { inUse: new Set([...inUse, ...ports]), foreign: ports }
  const slots = await context.allocateSlots(names, { slots: SLOTS, ...seen })
  reportReplaced(say, slots)
  return taken.flatMap(({ name, slot, port }) =>
    portIn(slots, name, slot).map((own) => ({ service: name, port: own, insteadOf: port ?? 0 })),
  )
}

/** The port of a service in one of its slots; none where it has no such slot. */
export function portIn(slots: readonly SlotPort[], service: string, slot: 'a' | 'b' | null): number[] {
  return slots.filter((own) => own.service === service && own.slot === slot).map(({ port }) => port)
}
