// A certificate as JSON, with its warnings. Neither its chain nor its key is in it.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import { certificateProblems, isAboutToEnd } from '../../domain/certificate.ts'
import type { Certificate } from '../../store/projects/certificates.ts'
import type { Project } from '../../store/projects/projects.ts'
import { presentTime } from './time.ts'

type CertificateContext = { readonly project: Project; readonly domains: readonly { readonly domain: string }[] }

export function presentCertificate(
  ctx: Pick<Context, 'clock'>,
  certificate: Certificate,
  { project, domains }: CertificateContext,
): RouteAnswer<Routes['getSuppliedCertificate']> {
  const { issued } = certificate
  const now = ctx.clock()
  return {
    id: certificate.id,
    project_id: certificate.projectId,
    source: certificate.source,
    domain: certificate.domain,
    names: [...certificate.names],
    issuer: issued?.issuer ?? null,
    not_before: presentTime(issued?.notBefore ?? null),
    not_after: presentTime(issued?.notAfter ?? null),
    about_to_end: issued !== null && isAboutToEnd(issued, now),
    problems: [...certificateProblems(certificate, { project, domains: domains.map(({ domain }) => domain), now })],
    failures: certificate.failures,
    next_attempt_at: presentTime(certificate.nextAttemptAt),
    servers: certificate.servers.map(({ id, name }) => ({ id, name })),
  }
}
