// Sees that the git host of a project has its deploy key and its webhook: adds what is missing, repairs what was changed, and proves both.
// A GitHub App needs neither; it must reach the repository.
import type { Context } from '../../context.ts'
import { type Connection, isSameAccount, repositoryUrlOf } from '../../domain/connection.ts'
import { projectContext } from '../../domain/encryption-context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { webhookUrl } from '../../domain/project.ts'
import { AppFault } from '../../domain/repository/app-fault.ts'
import type { ProjectAtHost } from '../../domain/repository/host-access.ts'
import { exponentialBackOff } from '../../scheduling/back-off.ts'
import type { ConnectedHost } from '../../source/git-host/connected/connected-host.ts'
import type { InstalledApp } from '../../source/github-app/github-app.ts'
import type { BusyOwners } from '../../store/busy-owners.ts'
import { insertOrphanRemoval } from '../../store/connections/access-removals.ts'
import {
  type TakenAccess,
  takeAccess,
  updateAccessIds,
  updateAccessOutcome,
} from '../../store/connections/repository-access.ts'
import { updateRepositoryHostKey } from '../../store/projects/projects.ts'
import { findProjectAtHost } from '../../store/repository-events/reconciliations.ts'
import { updateRepositoryExternalId } from '../../store/repository-events/webhooks.ts'
import { openHost } from './ask-host.ts'
import { explainHostFault } from './explain-host-fault.ts'
import { applyAppEvent } from './github-app/apply-app-event.ts'
import { followAccount } from './github-app/follow-account.ts'
import { followInstallation } from './github-app/follow-installation.ts'
import { recordHealth } from './record-health.ts'

/** Longer than all calls of one check take: a process that dies leaves the row to the next. */
const LEASE_MS = 10 * 60_000
const EVERY_MS = 15 * 60_000
const PAUSES = { firstMs: 30_000, mostMs: 6 * 60 * 60_000 }

/** False if nothing is due. `projectId`: only of that project. A failure is kept in the project, and is tried again later. */
export async function ensureNextAccess(ctx: Context, projectId?: number): Promise<boolean> {
  const taken = await takeAccess(ctx.db, { leaseMs: LEASE_MS, projectId })
  if (taken) await ensureTakenAccess(ctx, taken)
  return taken !== undefined
}

export const takeNextAccess = (ctx: Context, busy: BusyOwners): Promise<TakenAccess | undefined> =>
  takeAccess(ctx.db, { leaseMs: LEASE_MS, busy })

export async function ensureTakenAccess(ctx: Context, taken: TakenAccess): Promise<void> {
  const project = await findProjectAtHost(ctx.db, taken.projectId)
  if (!project?.connection) return
  const { error, retryAfterMs } = await ensureAccess(ctx, taken, { ...project, connection: project.connection })
  const afterMs = error === null ? EVERY_MS : Math.max(exponentialBackOff(taken.attempts, PAUSES), retryAfterMs)
  await ctx.change(PLATFORM, (tx) => updateAccessOutcome(tx, taken, { afterMs, error, at: ctx.clock() }))
}

/** Every project of the connection confirms its credentials; they are written once for all of them. */
const isOld = (checkedAt: number | null, now: number): boolean => now - (checkedAt ?? 0) >= EVERY_MS

type Connected = ProjectAtHost & { readonly connection: Connection }
type Outcome = { readonly error: string | null; readonly retryAfterMs: number }

async function ensureAccess(ctx: Context, taken: TakenAccess, project: Connected): Promise<Outcome> {
  const { connection } = project
  const app = connection.type === 'github_app' ? ctx.credentials.openInstalledApp(connection) : undefined
  const host = connection.type === 'github_app' ? undefined : await openHost(ctx, connection)
  if (!host && !app) {
    const lost = await followInstallation(ctx, connection)
    return { error: lost ?? connection.statusReason ?? 'The connection has no credentials yet', retryAfterMs: 0 }
  }
  let current = project
  try {
    if (app) current = await followRepository(ctx, app, { taken, project })
    else if (host) await ensureAtHost(ctx, host, { taken, project })
  } catch (error) {
    const fault = explainHostFault(error, connection, taken.repository)
    ctx.log.warn({ err: error, project: project.id }, 'the deploy key or the webhook could not be checked')
    if (fault.isRefusal) await recordHealth(ctx, connection, fault.sentence, fault.status)
    if (fault.status === 'removed') await followInstallation(ctx, connection)
    const isRefused = error instanceof AppFault && error.code === 'repository_refused'
    return { error: (isRefused ? taken.hostFault : null) ?? fault.sentence, retryAfterMs: fault.retryAfterMs }
  }
  if (connection.status !== 'active' || isOld(connection.checkedAt, ctx.clock()))
    await recordHealth(ctx, connection, null)
  const fault = await probe(ctx, current)
  return { error: fault ? [fault.message, fault.fix].filter(Boolean).join('. ') : null, retryAfterMs: 0 }
}

type Ensured = { readonly taken: TakenAccess; readonly project: Connected }

async function ensureAtHost(ctx: Context, host: ConnectedHost, { taken, project }: Ensured): Promise<void> {
  const { repository, deployKeyId: knownId, hasCurrentSecret } = taken
  const { publicKey, hookId, webhookSecretSealed } = project
  const externalId = await ctx.connectedHosts.proveRepository(host, repository, project.externalId)
  if (project.externalId === null)
    await ctx.change(PLATFORM, (tx) => updateRepositoryExternalId(tx, project.id, externalId))
  const deployKeyId = await ctx.connectedHosts.ensureDeployKey(host, repository, { publicKey, knownId })
  if (!(await keepIds(ctx, { taken, project }, { deployKeyId, webhookId: null }))) return
  const webhookId = await ctx.connectedHosts.ensureWebhook(host, repository, {
    url: webhookUrl(ctx.config.baseUrl, hookId),
    secret: ctx.box.open(webhookSecretSealed, projectContext(hookId, 'webhook_secret_sealed')),
    hasCurrentSecret,
  })
  await keepIds(ctx, { taken, project }, { deployKeyId: null, webhookId })
}

type HostIds =
  | { readonly deployKeyId: string; readonly webhookId: null }
  | { readonly deployKeyId: null; readonly webhookId: string }

/** False if the project was deleted meanwhile: what was added for it goes again. */
async function keepIds(ctx: Context, { taken, project }: Ensured, ids: HostIds): Promise<boolean> {
  return ctx.change(PLATFORM, async (tx) => {
    const values =
      ids.deployKeyId === null
        ? ({ webhook_id: ids.webhookId, has_current_secret: 1 } as const)
        : { deploy_key_id: ids.deployKeyId }
    if (await updateAccessIds(tx, taken, values)) return true
    const { repository } = taken
    await insertOrphanRemoval(tx, { connectionId: project.connection.id, repository, ...ids, at: ctx.clock() })
    return false
  })
}

/** A GitHub App needs neither key nor webhook: the installation must reach the repository, whose name and owner may have been renamed. */
async function followRepository(ctx: Context, app: InstalledApp, { taken, project }: Ensured): Promise<Connected> {
  const found = await ctx.gitHubApps.findRepositoryById(app, project.externalId ?? '')
  if (!found) throw new AppFault('repository_refused')
  if (found.fullName === taken.repository) return project
  const [owner] = found.fullName.split('/')
  const { account } = project.connection
  if (
    !isSameAccount(owner, account) &&
    !isSameAccount(owner, (await followAccount(ctx, project.connection, app)).account)
  )
    throw new AppFault('repository_refused')
  const event = { kind: 'moved', repositoryId: found.id, fullName: found.fullName } as const
  await applyAppEvent(ctx, { connectionId: app.connectionId, event, origin: PLATFORM.origin })
  return { ...project, repoUrl: repositoryUrlOf(project.connection, found.fullName) }
}

/** With the key or token itself, as a deployment would. */
async function probe(ctx: Context, project: Connected) {
  const { id: projectId, repoUrl: address, publicKey, repositoryHostKey: hostKey, hookId, privateKeySealed } = project
  const openKey = () => ctx.box.open(privateKeySealed, projectContext(hookId, 'repository_private_key_sealed'))
  const tokens = ctx.credentials.openTokens(project.connection)
  return ctx.repositories.probe(
    { projectId, address, publicKey, hostKey, openKey, tokens },
    {
      branch: project.defaultBranch,
      onHostKey: (id, key) => ctx.change(PLATFORM, (tx) => updateRepositoryHostKey(tx, id, key)),
    },
  )
}
