// What the sections of the settings share, and why a single setting is read-only.
import type { Environment } from '@shipway/api'
import { IN_PROGRESS, missingPermission } from '../../../data/disabled-reasons.ts'
import { type EnvironmentContext, whyNotChange } from '../../../data/environment-reasons.ts'

export type SettingsContext = EnvironmentContext & {
  /** Why all settings are read-only; shown once, at the top of the page. */
  readonly lock: string | undefined
}

export const settingsContext = (context: EnvironmentContext): SettingsContext => ({
  ...context,
  lock: whyNotChange(context),
})

/** Protection freezes these settings, also for the owner. */
export const whyKept = ({ protected: isProtected }: Environment): string | undefined =>
  isProtected ? 'Frozen by the protection. Remove the protection first' : undefined

/** A running deployment depends on these settings. */
export const whyBusy = ({ locked }: Environment): string | undefined => (locked ? IN_PROGRESS : undefined)

export const whyRecipeFixed = (environment: Environment): string | undefined =>
  environment.pull_request?.is_fork ? 'Pull requests from forks always use the docker recipe' : whyBusy(environment)

export const whyNotLimit = ({ lock, environment: _, ...membership }: SettingsContext): string | undefined =>
  missingPermission('administer', membership) ?? lock

/** Protection does not block a transfer: it hands the environment to a user who can change it. */
export function whyNotOwner({ environment, project, ...membership }: EnvironmentContext): string | undefined {
  if (environment.status === 'removing') return 'The environment is being removed'
  if (project?.status === 'deleting') return 'The project is being deleted'
  return missingPermission('own_organization', membership)
}
