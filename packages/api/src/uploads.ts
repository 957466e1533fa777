// Uploads: a working tree that `shipway up` deploys to an environment of its own, without a push to the git host.
import { z } from 'zod'
import { Environment } from './environments.ts'
import { IdParams } from './page.ts'
import { route } from './route.ts'
import { Task } from './tasks.ts'
import { Branch } from './values/branch.ts'
import { Sha } from './values/ids.ts'
import { UploadLifetime } from './values/lifetime.ts'

/** How many commits of its history a client names. */
export const MOST_BASE_CANDIDATES = 50

export const UploadBase = z.object({
  base: Sha.nullable(),
  most_bytes: z.int(),
})
export type UploadBase = z.infer<typeof UploadBase>

export const Upload = z.object({ environment: Environment, task: Task })
export type Upload = z.infer<typeof Upload>

export const uploadRoutes = {
  findUploadBase: route({
    method: 'POST',
    path: '/api/projects/{id}/uploads/base',
    summary: 'Find a commit that an upload can leave out',
    description: 'Name commits that were pushed, the newest first.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    body: z.strictObject({ commits: z.array(Sha).max(MOST_BASE_CANDIDATES) }),
    success: 200,
    answer: UploadBase,
    errors: ['project_deleting'],
  }),
  createUpload: route({
    method: 'POST',
    path: '/api/projects/{id}/uploads',
    summary: "Deploy a commit that is in no branch to the caller's own environment",
    description: 'The body is a git pack of exactly `commit`, without parents, and the files that `base` lacks.',
    permission: 'deploy',
    scope: 'deploy',
    params: IdParams,
    query: z.strictObject({
      commit: Sha,
      head: Sha,
      base: Sha.optional(),
      branch: Branch,
      expires_after: UploadLifetime.default('1d'),
    }),
    streamedBody: true,
    success: 201,
    answer: Upload,
    errors: [
      'environment_limit_reached',
      'deployment_in_progress',
      'environment_removing',
      'project_deleting',
      'upload_in_progress',
      'uploads_full',
      'upload_refused',
      'task_not_created',
    ],
  }),
}
