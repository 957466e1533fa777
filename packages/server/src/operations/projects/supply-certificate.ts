// Stores a certificate that a user supplies for the domains of a project. Its private key is sealed before it is written.
import { randomUUID } from 'node:crypto'
import type { SuppliedCertificate } from '@shipway/api/certificates'
import type { Context } from '../../context.ts'
import { covers, hostsOf } from '../../domain/certificate.ts'
import { certificateKeyContext } from '../../domain/encryption-context.ts'
import { InvalidField, InvalidFields, ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { type CheckedCertificate, checkCertificate } from '../../edge/certificates/check-certificate.ts'
import { Secret } from '../../secrets/secret.ts'
import { listDomainsOfProject } from '../../store/environments/domains.ts'
import {
  type Certificate,
  findSuppliedCertificate,
  replaceSuppliedCertificate,
} from '../../store/projects/certificates.ts'
import { findProject, type Project } from '../../store/projects/projects.ts'
import { orNotFound } from '../or-not-found.ts'
import { findProjectForUpdate } from './find-project-for-update.ts'

export async function supplyCertificate(
  ctx: Context,
  actor: Actor,
  { id, supplied }: { readonly id: number; readonly supplied: SuppliedCertificate },
): Promise<Certificate> {
  // Permissions first: without them the caller learns nothing about the certificate.
  demand(actor, 'administer', orNotFound(await findProject(ctx.db, actor, id), 'project').organizationId)
  const certificate = read(ctx, supplied)
  const keyId = randomUUID()
  const sealed = ctx.box.seal(certificate.privateKey, certificateKeyContext(keyId))
  return ctx.change(actor, async (tx) => {
    const project = await findProjectForUpdate(tx, actor, { id })
    demand(actor, 'administer', project.organizationId)
    if (project.isDeleting) throw ProjectDeleting()
    const domains = (await listDomainsOfProject(tx, id)).map(({ domain }) => domain)
    refuseForeign(certificate, project, domains)
    await replaceSuppliedCertificate(tx, id, {
      key_id: keyId,
      chain: certificate.chain,
      private_key_sealed: sealed,
      names: JSON.stringify(certificate.names),
      issuer: certificate.issuer,
      fingerprint: certificate.fingerprint,
      not_before: certificate.notBefore,
      not_after: certificate.notAfter,
      at: ctx.clock(),
    })
    await tx.audit({
      organizationId: project.organizationId,
      action: 'project.certificate_supplied',
      target: { kind: 'project', id, name: project.name },
      fields: ['certificate', 'private_key'],
    })
    return orNotFound(await findSuppliedCertificate(tx, id), 'certificate')
  })
}

function read(ctx: Context, { certificate: chain, private_key }: SuppliedCertificate): CheckedCertificate {
  const { certificate, faults } = checkCertificate(chain, new Secret(private_key), ctx.clock())
  if (certificate) return certificate
  throw InvalidFields(faults.map(({ field, code, sentence }) => ({ pointer: `/${field}`, code, detail: sentence })))
}

/** The certificate must fit a name that the project has, or could have. */
function refuseForeign({ names }: CheckedCertificate, project: Project, domains: readonly string[]): void {
  const hosts = hostsOf(names, project)
  const places = [project.domain, ...project.customDomains].join(', ')
  const said = names.slice(0, 5).join(', ')
  if (hosts.length === 0) {
    const detail = `The certificate is for ${said}, and nothing of that lies under the project's domains (${places})`
    throw InvalidField('/certificate', 'other_names', detail)
  }
  if (domains.length > 0 && !domains.some((domain) => covers(hosts, domain))) {
    const detail = `The certificate is for ${said}, and no environment answers there. One for *.${project.domain} would do`
    throw InvalidField('/certificate', 'other_names', detail)
  }
}
