// Requests about the certificates of a project.

import { orNotFound } from '../../operations/or-not-found.ts'
import { deleteSuppliedCertificate } from '../../operations/projects/delete-supplied-certificate.ts'
import { supplyCertificate } from '../../operations/projects/supply-certificate.ts'
import { listDomainsOfProject } from '../../store/environments/domains.ts'
import { findSuppliedCertificate, listCertificates } from '../../store/projects/certificates.ts'
import { findProject } from '../../store/projects/projects.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentCertificate } from '../present/certificate.ts'

export const certificateHandlers = {
  listCertificates: async ({ ctx, actor, params, query, request }) => {
    const project = orNotFound(await findProject(ctx.db, actor, params.id), 'project')
    const domains = await listDomainsOfProject(ctx.db, project.id)
    const { items, next } = await listCertificates(ctx.db, project.id, pageRequest(query))
    return {
      body: items.map((certificate) => presentCertificate(ctx, certificate, { project, domains })),
      headers: linkNext(request, next),
    }
  },
  getSuppliedCertificate: async ({ ctx, actor, params }) => {
    const project = orNotFound(await findProject(ctx.db, actor, params.id), 'project')
    const certificate = orNotFound(await findSuppliedCertificate(ctx.db, project.id), 'certificate')
    const domains = await listDomainsOfProject(ctx.db, project.id)
    return { body: presentCertificate(ctx, certificate, { project, domains }) }
  },
  supplyCertificate: async ({ ctx, actor, params, body }) => {
    const certificate = await supplyCertificate(ctx, actor, { id: params.id, supplied: body })
    const project = orNotFound(await findProject(ctx.db, actor, params.id), 'project')
    const domains = await listDomainsOfProject(ctx.db, project.id)
    return { body: presentCertificate(ctx, certificate, { project, domains }) }
  },
  deleteSuppliedCertificate: async ({ ctx, actor, params }) => {
    await deleteSuppliedCertificate(ctx, actor, params.id)
    return {}
  },
} satisfies Handlers
