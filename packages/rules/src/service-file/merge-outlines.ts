// Merges the outlines of two compose files as Compose merges the files: the second adds to lists and replaces single values.
import type { ComposeOutline, ServiceOutline } from '../compose/compose-outline.ts'

export function mergeOutlines(base: ComposeOutline, over: ComposeOutline): ComposeOutline {
  const later = new Map(over.services.map((service) => [service.name, service]))
  const known = new Set(base.services.map(({ name }) => name))
  return {
    services: [
      ...base.services.map((service) => mergeServices(service, later.get(service.name))),
      ...over.services.filter(({ name }) => !known.has(name)),
    ],
  }
}

function mergeServices(base: ServiceOutline, over: ServiceOutline | undefined): ServiceOutline {
  if (!over) return base
  return {
    name: base.name,
    image: over.image ?? base.image,
    build: over.build ?? base.build,
    isComplete: base.isComplete || over.isComplete,
    published: [...base.published, ...over.published],
    proxied: [...base.proxied, ...over.proxied],
    exposed: [...base.exposed, ...over.exposed],
    mentioned: [...over.mentioned, ...base.mentioned],
    command: over.command === '' ? base.command : over.command,
    health: over.health ?? base.health,
    profiles: [...base.profiles, ...over.profiles],
    dependsOn: [...base.dependsOn, ...over.dependsOn],
    isReachable: base.isReachable && over.isReachable,
    readsSocket: base.readsSocket || over.readsSocket,
  }
}
