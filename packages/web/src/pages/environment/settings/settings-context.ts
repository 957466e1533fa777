// Why a single setting cannot be changed now, where the environment as a whole can be.
import type { Environment } from '@shipway/api'
import { IN_PROGRESS, needs } from '../../../data/disabled-reasons.ts'
import { changeLock, type Place } from '../../../data/environment-reasons.ts'

export type SettingsPlace = Place & {
  /** Why nothing can be changed; told once, at the head of the page. */
  readonly lock: string | undefined
}

export const settingsPlace = (place: Place): SettingsPlace => ({ ...place, lock: changeLock(place) })

/** What protection keeps as it is, also for the owner. */
export const keptLock = ({ protected: isProtected }: Environment): string | undefined =>
  isProtected ? 'Protection keeps it as it is. Take the protection off first' : undefined

/** What a deployment stands on. */
export const underneathLock = ({ locked }: Environment): string | undefined => (locked ? IN_PROGRESS : undefined)

export const recipeLock = (environment: Environment): string | undefined =>
  environment.pull_request?.is_fork
    ? 'Pull requests of forks are deployed with the docker recipe alone'
    : underneathLock(environment)

export const limitsLock = ({ lock, environment: _, ...where }: SettingsPlace): string | undefined =>
  needs('admin', where) ?? lock

/** Protection does not stand in the way of a transfer, which is how it gets to somebody who may change it. */
export function ownersLock({ environment, project, ...where }: Place): string | undefined {
  if (environment.status === 'removing') return 'The environment is being removed'
  if (project?.status === 'deleting') return 'The project is being deleted'
  return needs('owner', where)
}
