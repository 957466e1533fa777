// When an environment expires: of a pull request for lack of deployments, which is derived from facts; of an upload at its own time.
import { activeTaskOf, type TaskFacts } from './environment.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The project's setting: hours after the last deployment, and when the setting was changed. */
export type ProjectLifetime = { readonly hours: number; readonly changedAt: number }

type Expiring = {
  readonly type: 'pull_request' | 'manual'
  readonly isSticky: boolean
  readonly isProtected: boolean
  readonly isProjectDeleting: boolean
  readonly lifetime: ProjectLifetime | null
  readonly tasks: TaskFacts
  readonly createdAt: number
  readonly updatedAt: number
  /** When a user restarted its time. */
  readonly extendedAt: number | null
  readonly upload: { readonly expiresAt: number } | null
}

/**
 * Null if it does not expire, and while a task is queued or running. A failed or canceled removal counts like a deployment:
 * a failed one is retried separately, and a canceled one means that the environment is wanted. A change of the lifetime
 * gives a grace period of a day, and so does a change of the environment, such as removing its protection.
 */
export function expiryOf(environment: Expiring): number | null {
  const { type, isSticky, isProtected, isProjectDeleting, lifetime, tasks, upload } = environment
  if (upload) return expiryOfUpload(upload, environment)
  if (lifetime === null || type !== 'pull_request' || isSticky || isProtected || isProjectDeleting) return null
  if (activeTaskOf(tasks)) return null
  const lifetimeMs = lifetime.hours * HOUR_MS
  return Math.max(
    (tasks.lastDeployment?.finishedAt ?? environment.createdAt) + lifetimeMs,
    (environment.extendedAt ?? 0) + lifetimeMs,
    environment.updatedAt + Math.min(lifetimeMs, DAY_MS),
    lifetime.changedAt + DAY_MS,
  )
}

/** A deployment late in its time, and a removal that failed, leave it an hour. Extended, it stays for a day. */
function expiryOfUpload(
  { expiresAt }: { readonly expiresAt: number },
  { isProjectDeleting, tasks, extendedAt }: Pick<Expiring, 'isProjectDeleting' | 'tasks' | 'extendedAt'>,
): number | null {
  if (isProjectDeleting || activeTaskOf(tasks)) return null
  const ofDeployment = (tasks.lastDeployment?.finishedAt ?? 0) + HOUR_MS
  return Math.max(expiresAt, ofDeployment, extendedAt === null ? 0 : extendedAt + DAY_MS)
}
