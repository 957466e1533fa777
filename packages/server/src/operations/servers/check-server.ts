// Checks a server and stores the result for pages.
import { hasNodes } from '@shipway/api/values/runtime-facts'
import type { Context } from '../../context.ts'
import { AppError } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { recordNodes } from '../../progress/record-nodes.ts'
import { type KeptCheck, upsertServerCheck } from '../../store/servers/server-checks.ts'
import { findServer, lockServer, type Server } from '../../store/servers/servers.ts'
import { recordSshAccess } from '../access/record-ssh-access.ts'
import { orNotFound } from '../or-not-found.ts'

type CheckFindings = Pick<KeptCheck, 'checks' | 'disk'> & { readonly letsPeopleIn?: boolean | undefined }

export async function checkServer(ctx: Context, actor: Actor, id: number): Promise<CheckFindings> {
  const server = orNotFound(await findServer(ctx.db, actor, id), 'server')
  demand(actor, 'administer', server.organizationId)
  try {
    const inspected = await ctx.servers.inspect(server, { showsDetails: actor.isPlatformAdmin })
    const found = { ...inspected, checks: [...inspected.checks, ...(await checkSwarm(ctx, server))] }
    await keep(ctx, actor, { server, found })
    return found
  } catch (error) {
    const failure = failureOf(error)
    if (failure) await keep(ctx, actor, { server, found: { checks: [failure], disk: null } })
    throw error
  }
}

/** The first check of a Swarm pins it to the record. */
async function checkSwarm(ctx: Context, server: Server): Promise<KeptCheck['checks']> {
  if (!hasNodes[server.runtime]) return []
  try {
    const swarm = await ctx.swarms.read(server)
    await recordNodes(ctx, { server, swarm })
    return [{ name: 'swarm', status: 'ok', message: `It manages a Swarm. Nodes: ${swarm.nodes.length}`, fix: null }]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ name: 'swarm', status: 'failed', message: error.message, fix: null }]
  }
}

/** An unreachable server is a result, too, with a message that viewers may read. */
function failureOf(error: unknown): KeptCheck['checks'][number] | undefined {
  if (!(error instanceof AppError) || !NOT_REACHED.has(error.code)) return undefined
  const reported = error.cause instanceof AppError ? error.cause : error
  return { name: 'connection', status: 'failed', message: reported.message, fix: null }
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
