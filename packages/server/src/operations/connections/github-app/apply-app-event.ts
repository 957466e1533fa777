// Applies what GitHub says about an App: keeps the state of its connection, and the addresses of its projects.
import type { Context } from '../../../context.ts'
import { type Connection, isSameAccount, repositoryUrlOf } from '../../../domain/connection.ts'
import type { Automatic, Origin } from '../../../domain/people/actor.ts'
import type { AppEvent } from '../../../domain/repository/app-event.ts'
import { AppFault } from '../../../domain/repository/app-fault.ts'
import { HOST_NAMES } from '../../../domain/repository/repository-hosts.ts'
import type { Change } from '../../../store/change.ts'
import {
  listProjectsOfRepositories,
  type ProjectOfRepository,
  updateAccessRefused,
  updateHostFault,
  updateRepositoryName,
} from '../../../store/connections/app-repositories.ts'
import { findConnectionAnywhere, updateConnection } from '../../../store/connections/connections.ts'
import { updateAccessDue, updateAccessDueOfConnection } from '../../../store/connections/repository-access.ts'
import { lockOrganization } from '../../../store/people/organizations.ts'
import { installationColumns } from './record-installation.ts'

type EventToApply = { readonly connectionId: number; readonly event: AppEvent; readonly origin: Origin }
type Applied = { readonly connection: Connection; readonly by: Automatic }

export async function applyAppEvent(ctx: Context, { connectionId, event, origin }: EventToApply): Promise<void> {
  const by: Automatic = { userId: null, name: HOST_NAMES.github, origin }
  await ctx.change(by, async (tx) => {
    const found = await findConnectionAnywhere(tx, connectionId)
    if (!found) return
    await lockOrganization(tx, found.organizationId)
    const connection = await findConnectionAnywhere(tx, connectionId)
    if (connection) await apply(ctx, tx, { connection, event, by })
  })
  // Tokens of before may not work any more, or reach less than they could.
  ctx.gitHubApps.forget(connectionId)
}

async function apply(ctx: Context, tx: Change, { event, ...applied }: Applied & { readonly event: AppEvent }) {
  const { connection } = applied
  switch (event.kind) {
    case 'installation':
      return applyInstallation(ctx, tx, { event, ...applied })
    case 'renamed':
      return renameAccount(ctx, tx, { event, ...applied })
    case 'repositories':
      await refuseAccess(tx, connection, event.removed)
      return restoreAccess(tx, connection, event.added)
    case 'moved':
      return moveRepository(ctx, tx, { event, ...applied })
    case 'deleted':
      return explainDeletion(tx, connection, event.repositoryId)
  }
}

const DELETED = 'The repository was deleted at GitHub. Restore it there, or delete the project'

type InstallationApplied = Applied & { readonly event: Extract<AppEvent, { kind: 'installation' }> }

/**
 * An earlier installation may still send that it was removed: the one in use counts. If the owner has made the App public, others can
 * install it, too: a new installation is taken only from the account that the connection is for.
 */
async function applyInstallation(ctx: Context, tx: Change, { connection, event, by }: InstallationApplied) {
  const { installationId, account, action } = event
  // Where no event said that it was removed, its id is still known.
  const known = connection.status === 'removed' ? null : (connection.app?.installationId ?? null)
  const isNew = action !== 'removed' && known === null && isSameAccount(account, connection.account)
  if (known !== installationId && !isNew) return
  const columns =
    action === 'removed'
      ? { installation_id: null, status: 'removed' as const, status_reason: new AppFault('not_installed').message }
      : installationColumns({ installationId, account, isSuspended: action === 'suspended' })
  const at = ctx.clock()
  const confirmed = action === 'installed' && { checked_at: at }
  await updateConnection(tx, connection, { ...columns, ...confirmed, updated_at: at })
  // Projects that worked until now have to say that they do not any more.
  await updateAccessDueOfConnection(tx, connection.id, { all: action !== 'installed' })
  await tx.audit(
    {
      organizationId: connection.organizationId,
      action: `connection.app_${action}`,
      target: { kind: 'connection', id: connection.id, name: connection.name },
    },
    by,
  )
}

async function explainDeletion(tx: Change, connection: Connection, id: string): Promise<void> {
  for (const project of await listProjectsOfRepositories(tx, connection.id, [id]))
    await updateHostFault(tx, project, DELETED)
}

/** A check proves at once that they can be read again. */
async function restoreAccess(tx: Change, connection: Connection, ids: readonly string[]): Promise<void> {
  for (const project of await listProjectsOfRepositories(tx, connection.id, ids)) {
    await updateHostFault(tx, project, null)
    await updateAccessDue(tx, project.id)
  }
}

async function refuseAccess(tx: Change, connection: Connection, ids: readonly string[]): Promise<void> {
  const { message } = new AppFault('repository_refused')
  for (const project of await listProjectsOfRepositories(tx, connection.id, ids))
    await updateAccessRefused(tx, project, message)
}

type RenameApplied = Applied & { readonly event: Extract<AppEvent, { kind: 'renamed' }> }

/** Its repositories have another address now, too: a check of each project finds it. */
async function renameAccount(ctx: Context, tx: Change, { connection, event, by }: RenameApplied): Promise<void> {
  await updateConnection(tx, connection, { account: event.account, updated_at: ctx.clock() })
  await updateAccessDueOfConnection(tx, connection.id, { all: true })
  await tx.audit(
    {
      organizationId: connection.organizationId,
      action: 'connection.updated',
      target: { kind: 'connection', id: connection.id, name: connection.name },
      fields: ['account'],
    },
    by,
  )
}

type MoveApplied = Applied & { readonly event: Extract<AppEvent, { kind: 'moved' }> }

/**
 * The project follows its repository within the account. After a transfer the new owner has to connect: a public repository could be read
 * all the same, and its new owner would decide what runs here.
 */
async function moveRepository(ctx: Context, tx: Change, { connection, event, by }: MoveApplied): Promise<void> {
  const { fullName, repositoryId } = event
  const isOutOfReach = !isSameAccount(fullName.split('/')[0], connection.account)
  for (const project of await listProjectsOfRepositories(tx, connection.id, [repositoryId])) {
    await updateHostFault(tx, project, isOutOfReach ? transferredTo(fullName) : null)
    if (isOutOfReach) continue
    const repoUrl = repositoryUrlOf(connection, fullName)
    await updateRepositoryName(tx, project, { repoUrl, fullName, at: ctx.clock() })
    await auditMove(tx, { connection, by, project })
  }
}

const transferredTo = (fullName: string): string =>
  `The repository now belongs to another account, as ${fullName}, where this App is not installed. ` +
  'Connect that account, or transfer it back'

type MoveToAudit = Applied & { readonly project: ProjectOfRepository }

const auditMove = (tx: Change, { connection, by, project }: MoveToAudit): Promise<void> =>
  tx.audit(
    {
      organizationId: connection.organizationId,
      action: 'project.updated',
      target: { kind: 'project', id: project.id, name: project.name },
      fields: ['repo_url'],
    },
    by,
  )
