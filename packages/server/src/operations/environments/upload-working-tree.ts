/**
 * Receives a commit that a user made from a working tree, and deploys it to the environment that only this user's uploads of this branch
 * go to. The environment is created with the first upload and expires.
 */
import { createReadStream } from 'node:fs'
import { hoursOfLifetime } from '@shipway/api/values/lifetime'
import { ISOLATED_RECIPE } from '@shipway/api/values/recipe-facts'
import type { Context } from '../../context.ts'
import { defaultDomain } from '../../domain/domain-rules.ts'
import { activeTaskOf, isBeingRemoved } from '../../domain/environment.ts'
import {
  DeploymentInProgress,
  EnvironmentRemoving,
  ProjectDeleting,
  UploadRefused,
  UploadsFull,
  UploadsLackDisk,
} from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { causeOf } from '../../domain/tasks/cause.ts'
import { KEPT_RELEASES } from '../../domain/tasks/task-orphans.ts'
import { UPLOAD_LIMITS } from '../../domain/upload-limits.ts'
import { uploadNames } from '../../domain/upload-name.ts'
import { SourceError } from '../../source/source-error.ts'
import type { Change } from '../../store/change.ts'
import { insertDomain } from '../../store/environments/domains.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import {
  findEnvironment,
  findUploadEnvironment,
  insertEnvironment,
  isNameOrDomainTaken,
  lockEnvironment,
  updateEnvironment,
} from '../../store/environments/environments.ts'
import { countUploadBytes, deleteOldUploads, insertUpload } from '../../store/environments/uploads.ts'
import { insertWebhookEvent } from '../../store/hooks/hook-messages.ts'
import { findProject, type Project } from '../../store/projects/projects.ts'
import { listRollbackTargets, type Task } from '../../store/tasks/tasks.ts'
import { findFreeBytes } from '../installation/free-disk.ts'
import { orNotFound } from '../or-not-found.ts'
import { findProjectForUpdate } from '../projects/find-project-for-update.ts'
import { queueDeployment } from '../tasks/start-deployment.ts'
import { storeTask } from '../tasks/store-task.ts'
import { chooseServer, refuseDomain } from './choose-server-and-domain.ts'
import { demandSlot } from './create-environment.ts'

export type UploadRequest = {
  readonly projectId: number
  readonly commit: string
  readonly head: string
  readonly base: string | null
  readonly branch: string
  readonly expiresAfter: string
}

type Uploaded = { readonly environment: Environment; readonly task: Task }

export type ReceivedPack = {
  readonly bytes: AsyncIterable<Uint8Array>
  /** How many the caller says that it sends; 0 if it does not say. */
  readonly announcedBytes: number
  /** Authenticates the caller again: a pack may take minutes to arrive. */
  readonly findSender: () => Promise<Actor | undefined>
}

export async function uploadWorkingTree(
  ctx: Context,
  actor: Actor,
  request: UploadRequest,
  pack: ReceivedPack,
): Promise<Uploaded> {
  const { organizationId } = await refuseEarly(ctx, actor, request, pack)
  const { projectId, commit: sha, base } = request
  return ctx.repositories
    .receiveUpload({ projectId, organizationId }, { sha, base }, pack.bytes, async ({ file, bytes }) =>
      store(ctx, (await pack.findSender()) ?? actor, { request, file, bytes }),
    )
    .catch((error: unknown) => {
      throw error instanceof SourceError ? UploadRefused(error.message, error) : error
    })
}

/** Before the pack is read, as far as the outcome is known. */
async function refuseEarly(
  ctx: Context,
  actor: Actor,
  request: UploadRequest,
  { announcedBytes }: ReceivedPack,
): Promise<Project> {
  const project = orNotFound(await findProject(ctx.db, actor, request.projectId), 'project')
  demand(actor, 'deploy', project.organizationId)
  if (project.isDeleting) throw ProjectDeleting()
  const environment = await findOwn(ctx.db, actor, request)
  if (environment) refuseBusy(environment)
  else await demandSlot(ctx.db, actor, project.id)
  const free = await findFreeBytes(ctx)
  if (free !== undefined && free < UPLOAD_LIMITS.freeBytes) throw UploadsLackDisk(mebibytes(UPLOAD_LIMITS.freeBytes))
  // The new upload may take the place of older ones of its environment.
  refuseFull((await countUploadBytes(ctx.db, project.id, { besides: environment?.id })) + announcedBytes)
  return project
}

function refuseFull(bytes: number): void {
  if (bytes > UPLOAD_LIMITS.projectBytes) throw UploadsFull(mebibytes(UPLOAD_LIMITS.projectBytes))
}

const mebibytes = (bytes: number): number => bytes / 1024 ** 2

function refuseBusy({ tasks }: Environment): void {
  if (isBeingRemoved(tasks)) throw EnvironmentRemoving()
  const active = activeTaskOf(tasks)
  if (active) throw DeploymentInProgress(active)
}

type Received = { readonly request: UploadRequest; readonly file: string; readonly bytes: number }

/** The pack, the environment and its deployment are stored together or not at all. */
async function store(ctx: Context, actor: Actor, { request, file, bytes }: Received): Promise<Uploaded> {
  const { projectId } = request
  return storeTask(
    ctx,
    () =>
      ctx.change(actor, async (tx) => {
        const project = await findProjectForUpdate(tx, actor, { id: projectId })
        demand(actor, 'deploy', project.organizationId)
        if (project.isDeleting) throw ProjectDeleting()
        const id = (await findOwn(tx, actor, request))?.id ?? (await create(ctx, tx, actor, { project, request }))
        await lockEnvironment(tx, id)
        await storePack(ctx, tx, { id, request, file, bytes })
        const environment = orNotFound(await findEnvironment(tx, actor, id), 'environment')
        const start = { by: actor, cause: causeOf(actor), commit: request.commit }
        const task = await queueDeployment(ctx, tx, environment, start)
        return { environment: orNotFound(await findEnvironment(tx, actor, id), 'environment'), task }
      }),
    'could not store an upload',
  )
}

const findOwn = (db: Context['db'], actor: Actor, { projectId, branch }: UploadRequest) =>
  findUploadEnvironment(db, { projectId, userId: actor.userId, branch })

type NewUploadEnvironment = { readonly project: Project; readonly request: UploadRequest }

async function create(
  ctx: Context,
  tx: Change,
  actor: Actor,
  { project, request }: NewUploadEnvironment,
): Promise<number> {
  await demandSlot(tx, actor, project.id)
  const name = await findFreeName(tx, actor, { project, request })
  const domain = defaultDomain(name, project)
  refuseDomain(ctx, project, { environment: { name, type: 'manual' }, domain })
  const at = ctx.clock()
  const id = await insertEnvironment(tx, {
    project_id: project.id,
    server_id: chooseServer(project, undefined),
    owner_id: actor.userId,
    uploader_id: actor.userId,
    name,
    type: 'manual',
    branch: request.branch,
    // The manual recipe would run commands that are in no branch on the server.
    recipe: ISOLATED_RECIPE,
    auto_deploy: 0,
    created_at: at,
    updated_at: at,
  })
  await insertDomain(tx, { environmentId: id, domain })
  await insertWebhookEvent(tx, { event: 'environment.created', environmentId: id, at })
  await tx.audit({
    organizationId: project.organizationId,
    action: 'environment.created',
    target: { kind: 'environment', id, name },
  })
  return id
}

async function findFreeName(
  tx: Change,
  actor: Actor,
  { project, request: { branch } }: NewUploadEnvironment,
): Promise<string> {
  for (const name of uploadNames({ user: actor.name, branch })) {
    if (!(await isNameOrDomainTaken(tx, { projectId: project.id, name, domain: defaultDomain(name, project) })))
      return name
  }
  throw UploadRefused('Every name for this environment is taken. Check out a branch with another name')
}

async function storePack(
  ctx: Context,
  tx: Change,
  { id, request, file, bytes }: Received & { readonly id: number },
): Promise<void> {
  const at = ctx.clock()
  const { projectId, commit: commitSha, head: headSha, base: baseSha } = request
  const hours = hoursOfLifetime(request.expiresAfter) ?? 24
  await updateEnvironment(tx, id, { upload_expires_at: at + hours * HOUR_MS, updated_at: at })
  const kept = await listRollbackTargets(tx, id, KEPT_RELEASES)
  await deleteOldUploads(
    tx,
    id,
    kept.map((task) => task.id),
  )
  refuseFull((await countUploadBytes(tx, projectId)) + bytes)
  await insertUpload(tx, { projectId, environmentId: id, commitSha, headSha, baseSha, at }, createReadStream(file))
}

const HOUR_MS = 60 * 60_000
