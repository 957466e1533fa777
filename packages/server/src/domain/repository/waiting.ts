// Why a pull request waits for its environment.

/** What blocks a pull request, apart from the limit. */
export type Obstacle = {
  /** Its own earlier environment is still there. */
  readonly isLeaving: boolean
  /** Another environment answers at its domain. */
  readonly taken: { readonly domain: string; readonly by: DomainHolder | null } | null
}

/** Null if it is nothing that people of the project may hear of. */
type DomainHolder = { readonly environment: string; readonly project: string; readonly isOfProject: boolean }

export type Slots = { readonly used: number; readonly limit: number }

export type WaitingReason = 'environment_limit_reached' | 'environment_removing' | 'domain_taken'

/** Obstacles that need a person come first. Null: nothing blocks it, and it is next. */
export function waitingReason(
  { isFork }: { readonly isFork: boolean },
  { obstacle, slots }: { readonly obstacle: Obstacle; readonly slots: Slots },
): WaitingReason | null {
  if (obstacle.taken) return 'domain_taken'
  // A fork's takes no slot until it is approved.
  if (!isFork && slots.used >= slots.limit) return 'environment_limit_reached'
  return obstacle.isLeaving ? 'environment_removing' : null
}

export function waitingSentence(
  reason: WaitingReason | null,
  { obstacle, slots }: { readonly obstacle: Obstacle; readonly slots: Slots },
): string | null {
  if (reason === 'environment_limit_reached')
    return `The project has ${slots.used} of ${slots.limit} environments. It gets its own when one is deleted`
  if (reason === 'environment_removing') return 'Its earlier environment is still being removed'
  if (reason === null || !obstacle.taken) return null
  const { domain, by } = obstacle.taken
  if (by === null)
    return `${domain} is taken by an environment of another organization. Ask the administrator of the platform`
  const project = by.isOfProject ? '' : ` of the project ${by.project}`
  return `${domain} is taken by the environment ${by.environment}${project}. Give that one another domain, or delete it`
}
