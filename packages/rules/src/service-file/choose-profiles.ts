// Chooses the profiles of a compose file that an environment needs, for a file whose services do not all run by themselves.
import type { ServiceOutline } from '../compose/compose-outline.ts'

type Services = readonly ServiceOutline[]

export const activeServices = (services: Services, enabled: ReadonlySet<string>): Services =>
  services.filter(({ profiles }) => profiles.length === 0 || profiles.some((profile) => enabled.has(profile)))

/** `named`: profiles that the project's own settings enable. `best`: the service to open, of those that can be opened. */
export function chooseProfiles(
  services: Services,
  named: readonly string[],
  best: (services: Services) => ServiceOutline | undefined,
): ReadonlySet<string> {
  const known = new Set(services.flatMap(({ profiles }) => profiles))
  const enabled = new Set(named.filter((profile) => known.has(profile)))
  if (enabled.size === 0 && best(activeServices(services, enabled)) === undefined) {
    for (const profile of [...known].toSorted((one, other) => preference(one) - preference(other))) {
      const main = best(services.filter(({ profiles }) => profiles.includes(profile)))
      if (!main) continue
      enabled.add(profile)
      addDependencies(services, { of: [main], enabled, withOptional: true })
      break
    }
  }
  // A service that is left out would otherwise fail those that need it.
  addDependencies(services, { of: activeServices(services, enabled), enabled, withOptional: false })
  return enabled
}

type Adding = { readonly of: Services; readonly enabled: Set<string>; readonly withOptional: boolean }

function addDependencies(services: Services, { of, enabled, withOptional }: Adding): void {
  const open = [...of]
  const seen = new Set(open)
  for (let next = open.pop(); next; next = open.pop()) {
    for (const { name, isRequired } of next.dependsOn) {
      const service = services.find((one) => one.name === name)
      if (!service || seen.has(service) || !(isRequired || withOptional)) continue
      seen.add(service)
      open.push(service)
      const [first] = service.profiles
      if (first !== undefined && !service.profiles.some((profile) => enabled.has(profile))) enabled.add(first)
    }
  }
}

const preference = (profile: string): number => {
  if (/^(?:default|prod|production)$/.test(profile)) return 0
  return /dev|test|debug|tool|old|deprecated|ci$/.test(profile) ? 2 : 1
}
