// Requests about uploads of working trees.
import { routes } from '@shipway/api/routes'
import { UPLOAD_LIMITS } from '../../domain/upload-limits.ts'
import { findUploadBase } from '../../operations/environments/find-upload-base.ts'
import { uploadWorkingTree } from '../../operations/environments/upload-working-tree.ts'
import { authenticate } from '../authenticate.ts'
import type { Handlers } from '../handler.ts'
import { presentEnvironment } from '../present/environment.ts'
import { presentTask } from '../present/task.ts'
import { readPieces } from '../raw-body.ts'

export const uploadHandlers = {
  findUploadBase: async ({ ctx, actor, params, body }) => ({
    body: {
      base: await findUploadBase(ctx, actor, { projectId: params.id, commits: body.commits }),
      most_bytes: UPLOAD_LIMITS.bytes,
    },
  }),
  createUpload: async ({ ctx, actor, params, query, request }) => {
    const wanted = {
      projectId: params.id,
      commit: query.commit,
      head: query.head,
      base: query.base ?? null,
      branch: query.branch,
      expiresAfter: query.expires_after,
    }
    const pack = {
      bytes: readPieces(request.raw),
      announcedBytes: Number(request.headers['content-length'] ?? 0),
      findSender: () => authenticate(ctx, routes.createUpload, request),
    }
    const { environment, task } = await uploadWorkingTree(ctx, actor, wanted, pack)
    return {
      body: { environment: presentEnvironment(ctx, environment), task: presentTask(ctx, task) },
      headers: { location: `/api/environments/${environment.id}` },
    }
  },
} satisfies Handlers
