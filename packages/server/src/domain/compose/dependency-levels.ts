// The order in which services start: each after those that it depends on.
import type { ComposeService } from '@shipway/rules/compose/model'

/** Services of one level depend only on lower ones. Compose refuses circles; here those of one share the last level. */
export function dependencyLevels(services: ReadonlyMap<string, ComposeService>): ReadonlyMap<string, number> {
  const levels = new Map<string, number>()
  let waiting = [...services.values()]
  for (let level = 0; waiting.length > 0; level += 1) {
    const ready = waiting.filter((service) => needsOf(service, services).every((name) => levels.has(name)))
    const started = ready.length > 0 ? ready : waiting
    for (const { name } of started) levels.set(name, level)
    waiting = waiting.filter(({ name }) => !levels.has(name))
  }
  return levels
}

/** Services of the same file whose network, processes, memory or volumes the service shares. */
export function joinedServices({ networkMode, definition }: ComposeService): string[] {
  const modes = [networkMode, definition.pid, definition.ipc].flatMap((mode) =>
    typeof mode === 'string' && mode.startsWith('service:') ? mode.slice('service:'.length) : [],
  )
  const from = Array.isArray(definition.volumes_from) ? definition.volumes_from : []
  return [...new Set([...modes, ...from.map((entry) => String(entry).replace(/:(ro|rw)$/, ''))])]
}

/** Those that it is started after. */
export function needsOf(service: ComposeService, services: ReadonlyMap<string, ComposeService>): string[] {
  return [...service.dependsOn.keys(), ...joinedServices(service)].filter((name) => services.has(name))
}
