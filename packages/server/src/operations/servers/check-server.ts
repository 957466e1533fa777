// Checks a server and stores the result for pages.
import type { Context } from '../../context.ts'
import { AppError } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { type KeptCheck, upsertServerCheck } from '../../store/servers/server-checks.ts'
import { findServer, lockServer, type Server } from '../../store/servers/servers.ts'
import { recordSshAccess } from '../access/record-ssh-access.ts'
import { orNotFound } from '../or-not-found.ts'

type CheckFindings = Pick<KeptCheck, 'checks' | 'disk'> & { readonly letsPeopleIn?: boolean | undefined }

export async function checkServer(ctx: Context, actor: Actor, id: number): Promise<CheckFindings> {
  const server = orNotFound(await findServer(ctx.db, actor, id), 'server')
  demand(actor, 'administer', server.organizationId)
  try {
    const found = await ctx.servers.inspect(server, { showsDetails: actor.isPlatformAdmin })
    await keep(ctx, actor, { server, found })
    return found
  } catch (error) {
    const failure = failureOf(error)
    if (failure) await keep(ctx, actor, { server, found: { checks: [failure], disk: null } })
    throw error
  }
}

/** An unreachable server is a result, too, with a message that viewers may read. */
function failureOf(error: unknown): KeptCheck['checks'][number] | undefined {
  if (!(error instanceof AppError) || !NOT_REACHED.has(error.code)) return undefined
  const told = error.cause instanceof AppError ? error.cause : error
  return { name: 'connection', status: 'failed', message: told.message, fix: null }
}

const NOT_REACHED: ReadonlySet<string> = new Set(['server_unreachable', 'server_timeout'])

/** Not stored if the record means another machine by now, or was deleted. */
async function keep(
  ctx: Context,
  actor: Actor,
  { server, found }: { readonly server: Server; readonly found: CheckFindings },
): Promise<void> {
  await ctx.change(actor, async (tx) => {
    await lockServer(tx, server.id)
    const current = await findServer(tx, actor, server.id)
    if (!current || PLACE.some((field) => current[field] !== server[field])) return
    await recordSshAccess(ctx, tx, { server, authorityKey: server.peopleAuthorityKey, isSetUp: found.letsPeopleIn })
    await upsertServerCheck(tx, server.id, { checks: found.checks, disk: found.disk, checkedAt: ctx.clock() })
  })
}

const PLACE = ['hostname', 'port', 'unixUser'] as const
