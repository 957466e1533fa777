/**
 * Certifies a user's key for one server, for some minutes.
 *
 * The platform decides everything in the certificate (`domain/ssh-access.ts`). Permissions are checked twice: before asking the server
 * whether it accepts such certificates, and again in the transaction that locks the organization. Removing a member takes the same lock,
 * so a certificate is either refused or among the revoked ones. It is signed after its row and its audit event
 * are committed.
 *
 * The row, the serial and the audit line are committed before the certificate is signed. Issuing a certificate and removing a member both lock
 * the organization: the certificate is refused, or it is among those that are revoked.
 */
import type { CertificateRequest } from '@shipway/api/ssh-access'
import type { Context } from '../../context.ts'
import { oneOffContainerName } from '../../domain/compose/project-name.ts'
import { sshAuthorityContext } from '../../domain/encryption-context.ts'
import { InvalidField, SshNotSetUp } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { type SshCertificateTerms, termsOf } from '../../domain/ssh-access.ts'
import { isAccessSetUp } from '../../store/access/ssh-access.ts'
import { findSshAuthority, isSshAuthority, takeSerial } from '../../store/access/ssh-authorities.ts'
import { insertSshCertificate } from '../../store/access/ssh-certificates.ts'
import type { Change } from '../../store/change.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { isRepositoryKey } from '../../store/projects/project-repositories.ts'
import { findServer, type Server } from '../../store/servers/servers.ts'
import { hasRunOn } from '../../store/tasks/tasks.ts'
import { orNotFound } from '../or-not-found.ts'
import { findOrganizationForUpdate } from '../people/find-organization-for-update.ts'
import { recordRefusal } from '../record-refusal.ts'
import { demandRun } from '../runs/demand-run.ts'
import { type PreparedRun, prepareRun } from '../runs/prepare-run.ts'
import { demandAccess } from './demand-access.ts'

type CertificateOrder = {
  readonly serverId: number
  readonly request: CertificateRequest
  /** Appears in the certificate, so it never comes from the caller. */
  readonly requestId: string
}

export type IssuedCertificate = {
  readonly line: string
  readonly authorityFingerprint: string
  readonly terms: SshCertificateTerms
  readonly server: Server
  readonly hostKey: string
  /** Of the environment, below the home of the platform's user. */
  readonly folder: string | null
}

export async function issueSshCertificate(
  ctx: Context,
  actor: Actor,
  order: CertificateOrder,
): Promise<IssuedCertificate> {
  const { serverId, request } = order
  const server = orNotFound(await findServer(ctx.db, actor, serverId), 'server')
  const attempt = {
    organizationId: server.organizationId,
    action: 'ssh_certificate.issue_refused',
    target: { kind: 'server', id: server.id, name: server.name },
  }
  await recordRefusal(ctx, actor, attempt, async () => demandPurpose(actor, server, request))
  await demandEnvironment(ctx, actor, { server, request })
  await demandPersonalKey(ctx, request.public_key)
  await demandAccess(ctx, actor, server)
  const command = request.purpose === 'run' ? await prepareRun(ctx, actor, { server, request }) : undefined
  const granted = await ctx.change(actor, (tx) => grant(ctx, tx, { actor, order, command }))
  // After the records: a container that nothing tells of would be worse than a certificate that was never signed.
  const hasTerminal = request.terminal ?? false
  if (command) await ctx.createRunContainer({ ...command, hasTerminal, server, container: granted.container })
  const { line, fingerprint } = ctx.access.sign(granted.privateKey, request.public_key, granted.terms)
  const folder = request.environment_id === undefined ? null : ctx.access.environmentFolder(request.environment_id)
  return { line, authorityFingerprint: fingerprint, ...granted, folder }
}

function demandPurpose(actor: Actor, { organizationId }: Server, { purpose }: CertificateRequest): void {
  demand(actor, purpose === 'logs' ? 'certificate' : 'administer', organizationId)
}

type OnServer = { readonly server: Server; readonly request: CertificateRequest }

async function demandEnvironment(ctx: Pick<Context, 'db'>, actor: Actor, { server, request }: OnServer): Promise<void> {
  const { purpose, environment_id: id } = request
  if (id === undefined) {
    if (purpose === 'shell') return
    throw InvalidField(
      '/environment_id',
      'required',
      `environment_id is missing: a certificate for ${purpose === 'run' ? 'a command is for' : 'logs reads'} one environment`,
    )
  }
  const environment = orNotFound(await findEnvironment(ctx.db, actor, id), 'environment')
  if (purpose === 'run') demandRun(actor, environment)
  // A moved environment has left earlier output there, and may still be served from there.
  if (environment.server.id === server.id || (await hasRunOn(ctx.db, { environmentId: id, serverId: server.id })))
    return
  throw InvalidField(
    '/environment_id',
    'other_server',
    `This environment is on the server ${environment.server.name}. Ask for a certificate for that one`,
  )
}

/**
 * Refuses to certify the platform's own keys: those it signs with, signs in with, or fetches repositories with. `publicKey` is as the
 * contract has checked it: type and key, without a comment.
 */
async function demandPersonalKey(
  ctx: Pick<Context, 'db' | 'sshAuthorityKey' | 'access'>,
  publicKey: string,
): Promise<void> {
  const isOurs =
    publicKey === ctx.sshAuthorityKey ||
    publicKey === ctx.access.ownKey ||
    (await isSshAuthority(ctx.db, publicKey)) ||
    (await isRepositoryKey(ctx.db, publicKey))
  if (!isOurs) return
  throw InvalidField('/public_key', 'platform_key', 'This is a key of the platform itself. Give a key of your own')
}

type CertificateGrant = {
  readonly actor: Actor
  readonly order: CertificateOrder
  readonly command: PreparedRun | undefined
}

async function grant(ctx: Context, tx: Change, { actor, order, command }: CertificateGrant) {
  const { request } = order
  const seen = orNotFound(await findServer(tx, actor, order.serverId), 'server')
  const { organizationId } = seen
  const { actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
  const server = orNotFound(await findServer(tx, current, order.serverId), 'server')
  demandPurpose(current, server, request)
  await demandEnvironment({ db: tx }, current, { server, request })
  const authority = await findSshAuthority(tx, organizationId)
  const serial = await takeSerial(tx, organizationId)
  // The server may have moved to another machine since it was asked.
  const isSetUp = await isAccessSetUp(tx, server.id)
  if (!authority || serial === undefined || !isSetUp || server.hostKey === null)
    throw SshNotSetUp(server.name, ctx.servers.setUpLine(server))
  const now = ctx.clock()
  const { environment_id: environmentId } = request
  const owner = { installationId: ctx.installationId, environmentId: environmentId ?? 0 }
  const container = oneOffContainerName(owner, 'terminal', serial)
  const readOutput = environmentId === undefined ? undefined : ctx.access.readOutput(environmentId)
  const terms = termsOf({
    purpose: request.purpose,
    userId: actor.userId,
    serial,
    requestId: order.requestId,
    now,
    principal: server.principal,
    forcedCommand: command ? ctx.access.runContainer(container) : readOutput,
    ttlSeconds: request.ttl_seconds,
  })
  await insertSshCertificate(tx, {
    organization_id: organizationId,
    serial,
    user_id: actor.userId,
    server_id: server.id,
    environment_id: request.environment_id ?? null,
    purpose: request.purpose,
    key_id: terms.keyId,
    issued_at: now,
    valid_before: terms.validBefore * 1000,
  })
  if (command) await tx.audit({ organizationId, action: 'run.terminal_opened', ...command.audit })
  await tx.audit({
    organizationId,
    action: 'ssh_certificate.issued',
    target: { kind: 'ssh_certificate', id: serial, name: `${request.purpose} on ${server.name}` },
  })
  const privateKey = ctx.box.open(authority.privateKeySealed, sshAuthorityContext(organizationId))
  return { terms, server, hostKey: server.hostKey, privateKey, container }
}
