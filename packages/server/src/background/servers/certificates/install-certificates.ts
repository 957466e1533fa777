// Installs the certificates that the edge of a server should have, and records what is installed.
import { createHash } from 'node:crypto'
import { safeText } from '@shipway/rules/safe-text'
import type { Context } from '../../../context.ts'
import { certificateKeyContext } from '../../../domain/encryption-context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { type EdgeCertificate, installCertificates } from '../../../edge/certificates/install-certificates.ts'
import type { Host } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { updateRefused } from '../../../store/projects/certificates.ts'
import {
  type InstalledCertificate,
  listInstalledCertificates,
  listWantedCertificates,
  replaceInstalledCertificates,
  type WantedCertificate,
} from '../../../store/projects/installed-certificates.ts'
import { keyOf, listEdgeMachines, onEdgeMachines } from '../edges/edge-machines.ts'
import { haproxyFolderOf } from '../edges/haproxy-folder.ts'
import type { JobRun } from '../jobs/server-job.ts'

/** By machine of an edge: what this process last installed there, and when to check it again. */
export type KnownInstallations = Map<string, KnownInstallation>

type KnownInstallation = {
  readonly digest: string
  readonly recheckAt: number
  /** Ids of certificates that HAProxy refused there. */
  readonly refused: ReadonlySet<number>
}

type Installing = { readonly hosts: Hosts; readonly known: KnownInstallations }

/** How soon a change made on the server by hand is noticed. */
export const VERIFY_MS = 10 * 60_000
/** By then the edge has stopped redirecting to https for domains whose certificate is removed. */
const REMOVAL_MS = 30_000

/** Reads the records only. */
export async function isInstallationDue(
  ctx: Context,
  server: ServerAddress,
  known: KnownInstallations,
): Promise<boolean> {
  return (await findDue(ctx, server, known)) !== undefined
}

/** A manager that cannot be reached is left out, and stays due. */
export async function installOnServer(
  ctx: Context,
  { server, signal }: Pick<JobRun, 'server' | 'signal'>,
  { hosts, known }: Installing,
): Promise<void> {
  const due = await findDue(ctx, server, known)
  if (!due) return
  const { wanted, digest } = due
  await onEdgeMachines(ctx, hosts, { server, signal }, async ({ key, host }) => {
    if (due.machines.has(key)) {
      const refused = await install(ctx, host, { server, wanted })
      known.set(key, { digest, recheckAt: ctx.clock() + VERIFY_MS, refused })
    } else if (key === keyOf(server)) {
      // The run counts as an answer of the server itself.
      await host.run(['true'])
    }
  })
  // One that a machine refused would be missing there for visitors who were sent on to https.
  const all = (await listEdgeMachines(ctx, server)).map((machine) => known.get(keyOf(machine)))
  const isRefused = (id: number): boolean => all.some((one) => one?.digest === digest && one.refused.has(id))
  const installed = wanted
    .filter(({ id }) => !isRefused(id))
    .map((certificate) => ({ certificateId: certificate.id, digest: digestOf(certificate) }))
  await ctx.change(PLATFORM, (tx) => replaceInstalledCertificates(tx, server.id, { installed, at: ctx.clock() }))
}

type Due = {
  readonly wanted: readonly WantedCertificate[]
  readonly digest: string
  /** Keys of the machines to install them on. */
  readonly machines: ReadonlySet<string>
}

/** What to install now. Undefined if no machine need be asked. */
async function findDue(ctx: Context, server: ServerAddress, known: KnownInstallations): Promise<Due | undefined> {
  const wanted = await listWantedCertificates(ctx.db, server.id)
  const held = await listInstalledCertificates(ctx.db, server.id)
  if (wanted.length === 0 && held.length === 0) return undefined
  const digest = createHash('sha256').update(wanted.map(digestOf).join()).digest('hex')
  const keys = (await listEdgeMachines(ctx, server)).map(keyOf)
  if (isOnlyRemoval(wanted, held)) {
    const removal = { digest, recheckAt: ctx.clock() + REMOVAL_MS, refused: new Set<number>() }
    for (const key of keys) if (known.get(key)?.digest !== digest) known.set(key, removal)
  }
  const machines = keys.filter((key) => {
    const last = known.get(key)
    return last?.digest !== digest || ctx.clock() >= last.recheckAt
  })
  return machines.length === 0 ? undefined : { wanted, digest, machines: new Set(machines) }
}

type Installation = { readonly server: ServerAddress; readonly wanted: readonly WantedCertificate[] }

/** Returns the ids of those that HAProxy refused. */
async function install(ctx: Context, host: Host, { server, wanted }: Installation): Promise<ReadonlySet<number>> {
  const folder = haproxyFolderOf(ctx, server)
  const { refused } = await installCertificates(
    host,
    folder,
    wanted.map((certificate) => opened(ctx, certificate)),
  )
  // Only ids that were sent to it: a hostile server could name a certificate of another organization.
  const own = wanted.flatMap(({ id }) => (refused.has(id) ? [{ id, reason: refused.get(id) ?? '' }] : []))
  for (const { id, reason } of own) {
    const error = `HAProxy on ${host.name} does not take it: ${safeText(reason).slice(0, MAX_REASON_CHARACTERS)}`
    await ctx.change(PLATFORM, (tx) => updateRefused(tx, id, { error, at: ctx.clock() }))
  }
  return new Set(own.map(({ id }) => id))
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
