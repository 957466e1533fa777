// Installs the certificates that the edge of a server should have, and records what is installed.
import { createHash } from 'node:crypto'
import { safeText } from '@shipway/rules/safe-text'
import type { Context } from '../../../context.ts'
import { certificateKeyContext } from '../../../domain/encryption-context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { type EdgeCertificate, installCertificates } from '../../../edge/certificates/install-certificates.ts'
import type { Host } from '../../../remote/host.ts'
import { updateRefused } from '../../../store/projects/certificates.ts'
import {
  type InstalledCertificate,
  listInstalledCertificates,
  listWantedCertificates,
  replaceInstalledCertificates,
  type WantedCertificate,
} from '../../../store/projects/installed-certificates.ts'
import { haproxyFolderOf } from '../edges/haproxy-folder.ts'
import type { JobRun } from '../jobs/server-job.ts'

/** By server: the certificates that this process last installed, and when to check the server again. */
export type KnownInstallations = Map<number, { readonly digest: string; readonly recheckAt: number }>

/** How soon a change made on the server by hand is noticed. */
export const VERIFY_MS = 10 * 60_000
/** By then the edge has stopped redirecting to https for domains whose certificate is removed. */
const REMOVAL_MS = 30_000

/** Reads the records only. */
export async function isInstallationDue(ctx: Context, serverId: number, known: KnownInstallations): Promise<boolean> {
  return (await findDue(ctx, serverId, known)) !== undefined
}

export async function installOnServer(
  ctx: Context,
  { server, host }: JobRun,
  known: KnownInstallations,
): Promise<void> {
  const due = await findDue(ctx, server.id, known)
  if (!due) return
  const { wanted, digest } = due
  const installed = await install(ctx, host(), { server, wanted })
  await ctx.change(PLATFORM, (tx) => replaceInstalledCertificates(tx, server.id, { installed, at: ctx.clock() }))
  known.set(server.id, { digest, recheckAt: ctx.clock() + VERIFY_MS })
}

type Due = { readonly wanted: readonly WantedCertificate[]; readonly digest: string }

/** What to install now. Undefined if the server need not be asked. */
async function findDue(ctx: Context, serverId: number, known: KnownInstallations): Promise<Due | undefined> {
  const wanted = await listWantedCertificates(ctx.db, serverId)
  const held = await listInstalledCertificates(ctx.db, serverId)
  const digest = createHash('sha256').update(wanted.map(digestOf).join()).digest('hex')
  const last = known.get(serverId)
  const isEmpty = wanted.length === 0 && held.length === 0
  if (isEmpty || (last?.digest === digest && ctx.clock() < last.recheckAt)) return undefined
  if (last?.digest !== digest && isOnlyRemoval(wanted, held)) {
    known.set(serverId, { digest, recheckAt: ctx.clock() + REMOVAL_MS })
    return undefined
  }
  return { wanted, digest }
}

type Installation = { readonly server: ServerAddress; readonly wanted: readonly WantedCertificate[] }

async function install(ctx: Context, host: Host, { server, wanted }: Installation) {
  const folder = haproxyFolderOf(ctx, server)
  const { refused } = await installCertificates(
    host,
    folder,
    wanted.map((certificate) => opened(ctx, certificate)),
  )
  // Only ids that were sent to it: a hostile server could name a certificate of another organization.
  for (const { id } of wanted) {
    const reason = refused.get(id)
    if (reason === undefined) continue
    const error = `HAProxy on ${server.name} does not take it: ${safeText(reason).slice(0, MAX_REASON_CHARACTERS)}`
    await ctx.change(PLATFORM, (tx) => updateRefused(tx, id, { error, at: ctx.clock() }))
  }
  return wanted
    .filter(({ id }) => !refused.has(id))
    .map((certificate) => ({ certificateId: certificate.id, digest: digestOf(certificate) }))
}

const MAX_REASON_CHARACTERS = 500

function opened(
  ctx: Context,
  { id, keyId, chain, privateKeySealed, fingerprint, hosts }: WantedCertificate,
): EdgeCertificate {
  const privateKey = ctx.box.open(privateKeySealed, certificateKeyContext(keyId))
  return { id, chain, privateKey, fingerprint, hosts }
}

function isOnlyRemoval(wanted: readonly WantedCertificate[], held: readonly InstalledCertificate[]): boolean {
  const digests = new Set(held.map(({ digest }) => digest))
  return wanted.length < held.length && wanted.every((certificate) => digests.has(digestOf(certificate)))
}

/** Covers everything that HAProxy gets. */
function digestOf({ id, keyId, chain, hosts }: WantedCertificate): string {
  return createHash('sha256')
    .update(JSON.stringify([id, keyId, chain, hosts]))
    .digest('hex')
}
