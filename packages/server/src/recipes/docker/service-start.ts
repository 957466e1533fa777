// How one service is started, as the plan hands it on to the steps that do it.
import type { ComposeModel, DeployMode, ServicePlan } from '@shipway/rules/compose/model'
import { needsOf } from '../../domain/compose/dependency-levels.ts'
import { isWholeByDefinition } from '../../domain/compose/whole-by-definition.ts'
import type { SlotPort } from '../recipe-context.ts'
import { portIn } from './allocate-slots.ts'
import type { Container } from './containers/list-containers.ts'

/** What a step can hand on: nothing in it comes from a variable. */
export type ServiceStart = {
  readonly name: string
  readonly level: number
  readonly mode: DeployMode
  readonly whyInPlace: string | null
  readonly gate: 'health' | 'http' | 'port' | 'running' | 'completed'
  readonly health: string
  /** On the server; null where it is not routed. */
  readonly port: number | null
  /** Which of its two ports that is. */
  readonly slot: 'a' | 'b' | null
  readonly containerPort: number | null
  readonly hasContainer: boolean
  /** A definition says all of it: nothing is put into the container after it was made, and it shares no other one's namespaces. */
  readonly isWholeByDefinition: boolean
  /** Ports of containers that this deployment replaces. */
  readonly oldPorts: readonly number[]
  /** Services that start before it. */
  readonly dependsOn?: readonly string[]
}

type Known = {
  readonly model: ComposeModel
  readonly current: ReadonlyMap<string, Container>
  readonly slots: readonly SlotPort[]
  readonly ports: ReadonlyMap<string, number>
}

export function startOf(service: ServicePlan, { model, current, slots, ports }: Known): ServiceStart {
  const { name, level, mode, whyInPlace, health, port, slot } = service
  const own = current.get(name)
  const definition = model.services.get(name)
  return {
    name,
    level,
    mode,
    whyInPlace,
    health: health ?? '/',
    containerPort: port,
    gate: gateOf(service),
    port: ports.get(name) ?? null,
    slot,
    hasContainer: own !== undefined,
    isWholeByDefinition: isWholeByDefinition(model, name),
    oldPorts: mode === 'beside' && own ? portIn(slots, name, own.slot) : [],
    dependsOn: definition ? needsOf(definition, model.services) : [],
  }
}

function gateOf({ mode, hasHealthcheck, isRouted, health }: ServicePlan): ServiceStart['gate'] {
  if (mode === 'one_shot') return 'completed'
  if (hasHealthcheck) return 'health'
  if (isRouted) return health === null ? 'port' : 'http'
  return 'running'
}
