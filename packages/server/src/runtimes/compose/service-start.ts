// The start of one service, as the plan hands it on to later steps.
import type { ComposeModel, DeployMode, ServicePlan } from '@shipway/rules/compose/model'
import { canRecreateContainer } from '../../domain/compose/can-recreate-container.ts'
import { needsOf } from '../../domain/compose/dependency-levels.ts'
import type { Container } from './containers/list-containers.ts'

/** Plain JSON without values of variables, so that a step may hand it on. */
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
  /** A definition alone can recreate it: nothing is copied into it later, and it shares no namespaces. Running deployments have stored the name. */
  readonly isWholeByDefinition: boolean
  /** Ports of the containers that this deployment replaces. Their slots may have other ports by now. */
  readonly oldPorts: readonly number[]
  /** Services that start before it. */
  readonly dependsOn?: readonly string[]
}

type PlanningState = {
  readonly model: ComposeModel
  readonly current: ReadonlyMap<string, Container>
  readonly ports: ReadonlyMap<string, number>
}

export function startOf(service: ServicePlan, { model, current, ports }: PlanningState): ServiceStart {
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
    isWholeByDefinition: canRecreateContainer(model, name),
    oldPorts: mode === 'beside' && own ? own.ports : [],
    dependsOn: definition ? needsOf(definition, model.services) : [],
  }
}

function gateOf({ mode, hasHealthcheck, isRouted, health }: ServicePlan): ServiceStart['gate'] {
  if (mode === 'one_shot') return 'completed'
  if (hasHealthcheck) return 'health'
  if (isRouted) return health === null ? 'port' : 'http'
  return 'running'
}
