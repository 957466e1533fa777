// Orders due certificates one after the other: organizations take turns, each within its share. A failed order backs off and delays no
// other.
import { randomUUID } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { renewalAt, retryDelay } from '../../../domain/certificate.ts'
import { certificateKeyContext } from '../../../domain/encryption-context.ts'
import { ORDER_WINDOW_MS, sentenceOfShare, shareOrders } from '../../../domain/order-shares.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { type AcmeAuthority, OrderFailed } from '../../../edge/acme/acme-authority.ts'
import type { CheckedCertificate } from '../../../edge/certificates/check-certificate.ts'
import { answersChallenges } from '../../../edge/certificates/install-certificates.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import {
  type DueOrder,
  deleteEndedOrders,
  deletePlacedOrder,
  insertPlacedOrder,
  listDueOrders,
  listPlacedOrders,
  updateIssued,
  updateOrderFailed,
} from '../../../store/projects/certificate-orders.ts'
import type { IssuedValues } from '../../../store/projects/certificates.ts'
import { listEdgeServers } from '../../../store/projects/installed-certificates.ts'
import { onEdgeMachines } from '../edges/edge-machines.ts'
import { haproxyFolderOf } from '../edges/haproxy-folder.ts'
import type { ServerJobs } from '../jobs/server-jobs.ts'

export type CertificateDependencies = {
  readonly hosts: Hosts
  readonly serverJobs: ServerJobs
  readonly authority: AcmeAuthority
}

/** `authority away`: it did not answer, so the caller backs off. `more`: further orders are due at once. */
export async function orderCertificates(
  ctx: Context,
  dependencies: CertificateDependencies,
  signal: AbortSignal,
): Promise<'done' | 'more' | 'authority away'> {
  await ctx.change(PLATFORM, (tx) => deleteEndedOrders(tx, ctx.clock()))
  const { due, isMore } = await findOrders(ctx)
  if (due.length === 0) return 'done'
  const servers = new Map((await listEdgeServers(ctx.db)).map((server) => [server.id, server]))
  // In parallel, because unreachable servers take long.
  const asked = new Set(due.flatMap(({ serverId }) => servers.get(serverId) ?? []))
  const ready = new Map([...asked].map((server) => [server.id, isReady(ctx, dependencies, server)] as const))
  for (const order of due) {
    const server = servers.get(order.serverId)
    if (signal.aborted || !server) continue
    if (!(await ready.get(server.id))) await waitForEdge(ctx, order, server)
    else if ((await orderOne(ctx, dependencies, { order, signal })) === 'authority away') return 'authority away'
  }
  return isMore ? 'more' : 'done'
}

/** Orders beyond a share are postponed, with a message that says until when. */
async function findOrders(ctx: Context): Promise<{ readonly due: readonly DueOrder[]; readonly isMore: boolean }> {
  const at = ctx.clock()
  const all = await listDueOrders(ctx.db, at)
  if (all.length === 0) return { due: [], isMore: false }
  const { now, later, isMore } = shareOrders(all, await listPlacedOrders(ctx.db, at - ORDER_WINDOW_MS), at)
  for (const { order, ...late } of later) {
    const put = { at, failures: order.failures, error: sentenceOfShare(late), nextAttemptAt: late.at }
    await ctx.change(PLATFORM, (tx) => updateOrderFailed(tx, order, put))
  }
  return { due: now, isMore }
}

/**
 * Without an edge that answers the challenge, the order would only count as a failure at the authority, which may ask any of the managers that
 * a domain points to.
 */
async function isReady(
  ctx: Context,
  { hosts, serverJobs }: CertificateDependencies,
  server: ServerAddress,
): Promise<boolean> {
  try {
    const folder = haproxyFolderOf(ctx, server)
    const { results } = await serverJobs.runOnce(server, ({ signal }) =>
      onEdgeMachines(ctx, hosts, { server, signal }, ({ host }) => answersChallenges(host, folder, ctx.acmeThumbprint)),
    )
    return results.every(Boolean)
  } catch (error) {
    ctx.log.debug({ err: error, server: server.id }, 'certificates are not ordered: the server cannot be reached')
    return false
  }
}

const EDGE_MS = 30_000

async function waitForEdge(ctx: Context, order: DueOrder, { name }: ServerAddress): Promise<void> {
  const at = ctx.clock()
  const error = `The edge of ${name} does not answer yet; a certificate is ordered as soon as it does`
  const failed = { at, failures: order.failures, error, nextAttemptAt: at + EDGE_MS }
  await ctx.change(PLATFORM, (tx) => updateOrderFailed(tx, order, failed))
}

async function orderOne(
  ctx: Context,
  { authority }: CertificateDependencies,
  { order, signal }: { readonly order: DueOrder; readonly signal: AbortSignal },
): Promise<'done' | 'authority away'> {
  const placed = await insertPlacedOrder(ctx.db, { organizationId: order.organizationId, at: ctx.clock() })
  try {
    const certificate = await authority.orderCertificate(order.domain, signal)
    const at = ctx.clock()
    // A wrong clock must not cause endless orders.
    const renewAt = Math.max(renewalAt(certificate), at + SOONEST_MS)
    const issued = { ...issuedValues(ctx, certificate), at, renewAt }
    await ctx.change(PLATFORM, (tx) => updateIssued(tx, order, issued))
    return 'done'
  } catch (error) {
    if (!(error instanceof OrderFailed)) throw error
    // Not a failure: this process stops, or another one has taken the lease.
    if (signal.aborted) return 'done'
    if (error.isAuthorityAway) await deletePlacedOrder(ctx.db, placed)
    const at = ctx.clock()
    const failures = order.failures + 1
    const nextAttemptAt = at + Math.max(retryDelay(failures), error.retryAfterMs)
    const failed = { at, failures, error: error.message, nextAttemptAt }
    await ctx.change(PLATFORM, (tx) => updateOrderFailed(tx, order, failed))
    ctx.log.warn({ domain: order.domain, failures }, error.message)
    return error.isAuthorityAway ? 'authority away' : 'done'
  }
}

const SOONEST_MS = 10 * 60_000

function issuedValues(ctx: Context, certificate: CheckedCertificate): IssuedValues {
  const keyId = randomUUID()
  return {
    key_id: keyId,
    chain: certificate.chain,
    private_key_sealed: ctx.box.seal(certificate.privateKey, certificateKeyContext(keyId)),
    names: JSON.stringify(certificate.names),
    issuer: certificate.issuer,
    fingerprint: certificate.fingerprint,
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
  }
}
