// The commands that a deployment runs before it switches: `release` and `seed` of `.service.yml`.
import type { DockerConfig, ReleaseCommand, Service } from './repository-config.ts'

/** Commands are absent where an earlier version of the platform has read the file. */
export type Commands = Pick<DockerConfig, 'services'> & Partial<Pick<DockerConfig, 'release' | 'seed'>>

/** The service whose image, variables, networks and volumes a command gets. Null where the file names none and routes none. */
export const serviceOfCommand = ({ service }: ReleaseCommand, services: readonly Service[]): string | null =>
  service ?? services.find(({ isMain }) => isMain)?.name ?? null

export type CommandFault = { readonly key: 'release' | 'seed'; readonly sentence: string }

/** Commands of services that the compose file does not have. */
export function commandFaults(
  { services, release = [], seed = [] }: Commands,
  known: readonly string[],
): readonly CommandFault[] {
  return (['release', 'seed'] as const).flatMap((key) =>
    (key === 'release' ? release : seed).flatMap((command) => {
      const service = serviceOfCommand(command, services)
      if (service === null) return [{ key, sentence: `docker.${key} names no service. Add service: to it` }]
      if (known.includes(service)) return []
      const others = known.length === 0 ? '' : `. It has ${known.slice(0, 20).join(', ')}`
      return [{ key, sentence: `docker.${key} runs in ${service}, which the compose file does not have${others}` }]
    }),
  )
}
