/**
 * Runs a one-off command whose terminal the platform carries, on its own machine.
 *
 * Nothing that could be stolen opens it: the connection that asks for the command is the one that gets its terminal. Permissions are checked
 * before, and again in the transaction that locks the organization and writes the audit line, as for an ssh certificate.
 */
import { randomBytes } from 'node:crypto'
import type { Context, RunTerminalOrder } from '../../context.ts'
import { oneOffContainerName } from '../../domain/compose/project-name.ts'
import { MissingScope, TerminalNeedsSsh } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { may, mayChangeProtected } from '../../domain/people/permissions.ts'
import type { RunTerminal } from '../../domain/run-terminal.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { findServer } from '../../store/servers/servers.ts'
import { orNotFound } from '../or-not-found.ts'
import { findOrganizationForUpdate } from '../people/find-organization-for-update.ts'
import { recordRefusal } from '../record-refusal.ts'
import { demandRun } from './demand-run.ts'
import { prepareRun } from './prepare-run.ts'

type TerminalOrder = Pick<RunTerminalOrder, 'size' | 'processId'> & {
  readonly environmentId: number
  readonly command: readonly string[]
  readonly service: string | undefined
  /** Throws where too many are open. */
  readonly admit: (organizationId: number) => void
}

export async function openTerminal(ctx: Context, actor: Actor, order: TerminalOrder): Promise<RunTerminal> {
  const { environmentId, command, service, size, processId } = order
  demandScope(actor)
  const seen = orNotFound(await findEnvironment(ctx.db, actor, environmentId), 'environment')
  const { organizationId, name } = seen
  const target = { kind: 'environment', id: environmentId, name }
  const attempt = { organizationId, action: 'run.start_refused', target }
  await recordRefusal(ctx, actor, attempt, async () => demandRun(actor, seen))
  const server = orNotFound(await findServer(ctx.db, actor, seen.server.id), 'server')
  if (server.connection !== 'local') throw TerminalNeedsSsh(server.name)
  order.admit(organizationId)
  const request = { environment_id: environmentId, command, service }
  const { audit, ...prepared } = await prepareRun(ctx, actor, { server, request })
  await ctx.change(actor, async (tx) => {
    const { actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
    demandRun(current, orNotFound(await findEnvironment(tx, current, environmentId), 'environment'))
    await tx.audit({ organizationId, action: 'run.terminal_opened', ...audit })
  })
  const owner = { installationId: ctx.installationId, environmentId }
  const container = oneOffContainerName(owner, 'terminal', randomBytes(8).toString('hex'))
  return ctx.openRunTerminal({ ...prepared, server, container, size, processId })
}

/** Whether a user who opened a terminal may still have it. A new version may be deployed meanwhile. */
export async function mayKeepTerminal(ctx: Pick<Context, 'db'>, actor: Actor, environmentId: number): Promise<boolean> {
  const environment = actor.scopes.has('ssh') && (await findEnvironment(ctx.db, actor, environmentId))
  if (!environment) return false
  return may(actor, 'administer', environment.organizationId) && mayChangeProtected(actor, environment)
}

function demandScope(actor: Actor): void {
  if (!actor.scopes.has('ssh')) throw MissingScope('ssh')
}
