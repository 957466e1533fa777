// Brings each server's edge the certificates that it should hold, and writes down what it holds then.
import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { placeOfCertificateKey } from '../../domain/sealed-place.ts'
import { type EdgeCertificate, installCertificates } from '../../edge/certificates/install-certificates.ts'
import type { Hosts } from '../../remote/hosts.ts'
import { updateRefused } from '../../store/certificates.ts'
import {
  type EdgeServer,
  type InstalledCertificate,
  listEdgeServers,
  listInstalledCertificates,
  listWantedCertificates,
  replaceInstalledCertificates,
  type WantedCertificate,
} from '../../store/installed-certificates.ts'
import { edgeFolderOf } from '../edges/edge-folder.ts'

/** What this process knows of a server: for which certificates it need not go there before when. */
export type Looks = Map<number, { readonly digest: string; readonly lookAgainAt: number }>

const VERIFY_MS = 10 * 60_000
const UNREACHABLE_MS = 60_000
/** By then the edge no longer sends anybody on to https where the certificate is to go. */
const REMOVAL_MS = 30_000

/** No server waits for another, and none keeps another from getting its own. */
export async function installOnServers(ctx: Context, hosts: Hosts, looks: Looks): Promise<void> {
  const servers = await listEdgeServers(ctx.db)
  const changes = await Promise.all(servers.map((server) => installOn(ctx, hosts, { server, looks })))
  // The edge sends plain requests on to https where there is a certificate now, and no longer where there is none.
  if (changes.includes(true)) ctx.bus.announce({ about: 'routes' })
}

async function installOn(
  ctx: Context,
  hosts: Hosts,
  { server, looks }: { readonly server: EdgeServer; readonly looks: Looks },
): Promise<boolean> {
  const wanted = await listWantedCertificates(ctx.db, server.id)
  const held = await listInstalledCertificates(ctx.db, server.id)
  const digest = createHash('sha256').update(wanted.map(digestOf).join()).digest('hex')
  const look = looks.get(server.id)
  const isNothing = wanted.length === 0 && held.length === 0
  if (isNothing || (look?.digest === digest && ctx.clock() < look.lookAgainAt)) return false
  if (look?.digest !== digest && isRemovalAlone(wanted, held)) {
    looks.set(server.id, { digest, lookAgainAt: ctx.clock() + REMOVAL_MS })
    return false
  }
  try {
    const installed = await install(ctx, hosts.of(server), { server, wanted })
    await replaceInstalledCertificates(ctx.db, server.id, { installed, at: ctx.clock() })
    looks.set(server.id, { digest, lookAgainAt: ctx.clock() + VERIFY_MS })
    return spelt(installed) !== spelt(held)
  } catch (error) {
    looks.set(server.id, { digest, lookAgainAt: ctx.clock() + UNREACHABLE_MS })
    ctx.log.warn({ err: error, server: server.id }, 'certificates could not be installed on a server')
    return false
  }
}

type Installation = { readonly server: EdgeServer; readonly wanted: readonly WantedCertificate[] }

async function install(ctx: Context, host: ReturnType<Hosts['of']>, { server, wanted }: Installation) {
  const folder = edgeFolderOf(ctx, server)
  const { refused } = await installCertificates(
    host,
    folder,
    wanted.map((certificate) => opened(ctx, certificate)),
  )
  for (const [id, said] of refused) {
    await updateRefused(ctx.db, id, { error: `HAProxy on ${server.name} does not take it: ${said}`, at: ctx.clock() })
  }
  return wanted
    .filter(({ id }) => !refused.has(id))
    .map((certificate) => ({ certificateId: certificate.id, digest: digestOf(certificate) }))
}

function opened(
  ctx: Context,
  { id, keyId, chain, privateKeySealed, fingerprint, hosts }: WantedCertificate,
): EdgeCertificate {
  const privateKey = ctx.box.open(privateKeySealed, placeOfCertificateKey(keyId))
  return { id, chain, privateKey, fingerprint, hosts }
}

function isRemovalAlone(wanted: readonly WantedCertificate[], held: readonly InstalledCertificate[]): boolean {
  const digests = new Set(held.map(({ digest }) => digest))
  return wanted.length < held.length && wanted.every((certificate) => digests.has(digestOf(certificate)))
}

/** Changes with whatever HAProxy is given. */
function digestOf({ id, keyId, chain, hosts }: WantedCertificate): string {
  return createHash('sha256')
    .update(JSON.stringify([id, keyId, chain, hosts]))
    .digest('hex')
}

const spelt = (certificates: readonly InstalledCertificate[]): string =>
  certificates.map(({ certificateId, digest }) => `${certificateId} ${digest}`).join()
