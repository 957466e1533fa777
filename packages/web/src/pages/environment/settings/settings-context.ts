// Why a single setting cannot be changed now, where the environment as a whole can be.
import type { Environment } from '@shipway/api'
import { IN_PROGRESS, missingRole } from '../../../data/disabled-reasons.ts'
import { type EnvironmentContext, whyNotChange } from '../../../data/environment-reasons.ts'

export type SettingsContext = EnvironmentContext & {
  /** Why nothing can be changed; told once, at the head of the page. */
  readonly lock: string | undefined
}

export const settingsContext = (context: EnvironmentContext): SettingsContext => ({
  ...context,
  lock: whyNotChange(context),
})

/** What protection keeps as it is, also for the owner. */
export const whyKept = ({ protected: isProtected }: Environment): string | undefined =>
  isProtected ? 'Protection keeps it as it is. Take the protection off first' : undefined

/** What a deployment stands on. */
export const whyBusy = ({ locked }: Environment): string | undefined => (locked ? IN_PROGRESS : undefined)

export const whyRecipeFixed = (environment: Environment): string | undefined =>
  environment.pull_request?.is_fork
    ? 'Pull requests of forks are deployed with the docker recipe alone'
    : whyBusy(environment)

export const whyNotLimit = ({ lock, environment: _, ...membership }: SettingsContext): string | undefined =>
  missingRole('admin', membership) ?? lock

/** Protection does not stand in the way of a transfer, which is how it gets to somebody who may change it. */
export function whyNotOwner({ environment, project, ...membership }: EnvironmentContext): string | undefined {
  if (environment.status === 'removing') return 'The environment is being removed'
  if (project?.status === 'deleting') return 'The project is being deleted'
  return missingRole('owner', membership)
}
