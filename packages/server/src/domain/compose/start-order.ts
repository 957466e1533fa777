// The order in which services of a plan start.
//
// Services that are recreated in place come before those that depend on them, and after those that do not. What depends on a replaced service
// restarts with it, since programs keep the address that they resolved at their start.
import type { DeployMode } from '@shipway/rules/compose/model'

type Service = {
  readonly name: string
  readonly level: number
  readonly mode: DeployMode
  readonly hasContainer: boolean
  /** Absent where an earlier version of the platform has planned. */
  readonly dependsOn?: readonly string[]
}

/** Services that start together, beside what serves; or one that takes the place of a container. */
export type Stage<S> =
  | { readonly type: 'start'; readonly level: number; readonly services: readonly S[] }
  | { readonly type: 'recreate'; readonly service: S }

/**
 * Each service starts after its dependencies. Services that do not need one that is recreated in place are ready before the first of those
 * stops, so a failure until then does not affect what serves. Services without dependents are recreated last: they are down the shortest.
 */
export function startOrder<S extends Service>(services: readonly S[]): readonly Stage<S>[] {
  const starting = services.filter(({ mode }) => mode !== 'unchanged')
  const needs = (service: S): S[] => {
    const names = new Set(service.dependsOn)
    return services.filter((other) => names.has(other.name) && other.level < service.level)
  }
  const late = new Set<S>()
  for (const service of services) {
    if (needs(service).some((needed) => late.has(needed) || isReplaced(needed))) late.add(service)
  }
  const isWaitedFor = (service: S): boolean => starting.some((other) => needs(other).includes(service))
  const fresh = starting.filter((service) => !isReplaced(service))
  const replaced = starting.filter(isReplaced)
  const levels = [...new Set(starting.map(({ level }) => level))].sort((a, b) => a - b)
  const startAt = (level: number, among: readonly S[]): Stage<S>[] => {
    const own = among.filter((service) => service.level === level)
    return own.length > 0 ? [{ type: 'start', level, services: own }] : []
  }
  const recreate = (among: readonly S[]): Stage<S>[] => among.map((service) => ({ type: 'recreate', service }))
  return [
    ...levels.flatMap((level) =>
      startAt(
        level,
        fresh.filter((service) => !late.has(service)),
      ),
    ),
    ...levels.flatMap((level) => [
      ...recreate(replaced.filter((service) => service.level === level && isWaitedFor(service))),
      ...startAt(
        level,
        fresh.filter((service) => late.has(service)),
      ),
    ]),
    ...recreate(replaced.filter((service) => !isWaitedFor(service))),
  ]
}

/** Names of the services that these depend on, directly or through others. */
export function needsOfAll(
  services: readonly Pick<Service, 'name' | 'dependsOn'>[],
  names: readonly string[],
): ReadonlySet<string> {
  const byName = new Map(services.map((service) => [service.name, service]))
  const needed = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const other of byName.get(name)?.dependsOn ?? []) {
      if (needed.has(other)) continue
      needed.add(other)
      waiting.push(other)
    }
  }
  return needed
}

const isReplaced = ({ mode, hasContainer }: Pick<Service, 'mode' | 'hasContainer'>): boolean =>
  mode === 'in_place' && hasContainer
