// Requests about projects.

import { orNotFound } from '../../operations/or-not-found.ts'
import { checkRepository } from '../../operations/projects/check-repository.ts'
import { createProject } from '../../operations/projects/create-project.ts'
import { deleteProject } from '../../operations/projects/delete-project.ts'
import { getServiceFile } from '../../operations/projects/get-service-file.ts'
import { regenerateRepositoryKey } from '../../operations/projects/regenerate-repository-key.ts'
import { regenerateWebhookSecret } from '../../operations/projects/regenerate-webhook-secret.ts'
import { updateProject } from '../../operations/projects/update-project.ts'
import { listRemovedEnvironments } from '../../store/environments/removed-environments.ts'
import { findProject, listProjects } from '../../store/projects/projects.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentProject, presentWebhook } from '../present/project.ts'
import { presentRemovedEnvironment } from '../present/removed-environment.ts'
import { presentRepositoryCheck } from '../present/repository-check.ts'

export const projectHandlers = {
  listProjects: async ({ ctx, actor, query, request }) => {
    const { items, next } = await listProjects(ctx.db, actor, pageRequest(query))
    return {
      body: items.map((project) => presentProject(ctx, project)),
      headers: linkNext(request, next),
      isCacheable: true,
    }
  },
  createProject: async ({ ctx, actor, body }) => {
    const { project, webhookSecret } = await createProject(ctx, actor, body)
    const webhook = presentWebhook(ctx, project, webhookSecret)
    return { body: { ...presentProject(ctx, project), webhook }, headers: { location: `/api/projects/${project.id}` } }
  },
  getProject: async ({ ctx, actor, params }) => ({
    body: presentProject(ctx, orNotFound(await findProject(ctx.db, actor, params.id), 'project')),
  }),
  getServiceFile: async ({ ctx, actor, params }) => ({
    body: { content: await getServiceFile(ctx, actor, params.id) },
  }),
  updateProject: async ({ ctx, actor, params, body }) => {
    const { project, webhookSecret } = await updateProject(ctx, actor, params.id, body)
    const webhook = webhookSecret && { webhook: presentWebhook(ctx, project, webhookSecret) }
    return { body: { ...presentProject(ctx, project), ...webhook } }
  },
  deleteProject: async ({ ctx, actor, params, body }) => {
    const deletion = {
      id: params.id,
      confirmProtected: body?.confirm_protected === true,
      abandonServers: body?.abandon_servers === true,
    }
    return { body: presentProject(ctx, await deleteProject(ctx, actor, deletion)) }
  },
  checkRepository: async ({ ctx, actor, params }) => ({
    body: presentRepositoryCheck(await checkRepository(ctx, actor, params.id)),
  }),
  regenerateWebhookSecret: async ({ ctx, actor, params }) => {
    const { project, secret } = await regenerateWebhookSecret(ctx, actor, params.id)
    return { body: presentWebhook(ctx, project, secret) }
  },
  regenerateRepositoryKey: async ({ ctx, actor, params }) => {
    const { publicKey, fingerprint } = await regenerateRepositoryKey(ctx, actor, params.id)
    return { body: { repository_key: publicKey, fingerprint } }
  },
  listRemovedEnvironments: async ({ ctx, actor, params }) => {
    const { id } = orNotFound(await findProject(ctx.db, actor, params.id), 'project')
    const removed = await listRemovedEnvironments(ctx.db, id, MOST_REMOVED)
    return { body: removed.map(presentRemovedEnvironment), isCacheable: true }
  },
} satisfies Handlers

const MOST_REMOVED = 20
