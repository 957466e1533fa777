// Loads from the records what a recipe deploys.
import { runsContainers } from '@shipway/api/values/recipe-facts'
import { isCapability } from '@shipway/rules/compose/policy/capabilities'
import type { Context } from '../context.ts'
import type { Deployment } from '../deployment/deployment.ts'
import { projectContext } from '../domain/encryption-context.ts'
import { limitsOf } from '../domain/limits.ts'
import { pullRequestRef } from '../domain/project.ts'
import { folderBelowHome } from '../domain/server-folder.ts'
import { findConnectionOfProject } from '../store/connections/connections.ts'
import { findReplicas } from '../store/environments/replicas.ts'
import { listServiceRoutes } from '../store/environments/routes.ts'
import { findServiceFileOfTask } from '../store/projects/service-files.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'
import type { ProgramInput } from './program-input.ts'

export async function loadDeployment(
  ctx: Context,
  { task, secrets }: Pick<ProgramInput, 'task' | 'secrets'>,
): Promise<Deployment> {
  const { environment, project, server, recipe } = task
  const servingTaskId = await findServingTask(ctx, task)
  const { image: imageToken, cache: cacheToken } = ctx.environmentTokens(environment.id)
  return {
    taskId: task.id,
    repository: {
      projectId: project.id,
      address: project.repoUrl,
      publicKey: project.publicKey,
      privateKey: ctx.box.open(
        project.privateKeySealed,
        projectContext(project.hookId, 'repository_private_key_sealed'),
      ),
      hostKey: project.repositoryHostKey,
      tokens: ctx.credentials.openTokens(await findConnectionOfProject(ctx.db, project.id)),
    },
    branch: task.branch,
    commitSha: task.commitSha,
    reportedSha: task.reportedSha,
    isCommitAdmitted: task.isCommitAdmitted,
    isUpload: environment.isUpload,
    forkRef: forkRefOf(task),
    environment,
    project,
    dashboardHost: new URL(ctx.config.baseUrl).hostname,
    variables: secrets.variables,
    buildKeys: secrets.buildKeys,
    ids: { installationId: ctx.installationId, environmentId: environment.id, imageToken, cacheToken },
    serviceFile: task.serviceFile,
    live: task.live,
    hasBeenLive: task.hasBeenLive,
    undo: task.undo,
    servingTaskId,
    // Containers need none: their actions have what the deployment recorded.
    servingServiceFile: runsContainers[recipe] ? null : await findServiceFileOfTask(ctx.db, servingTaskId),
    rollbackTo: task.sourceTaskId,
    keptTaskIds: task.keptTaskIds,
    // Anyone can open a pull request from a fork, so forks get no capabilities. Uploads are in no branch.
    grants: new Set(environment.isFork || environment.isUpload ? [] : task.grants.filter(isCapability)),
    limits: limitsOf(environment.type, environment.limits),
    replicas: await findReplicas(ctx.db, environment.id),
    readySeconds: ctx.config.readySeconds,
    drainSeconds: ctx.config.drainSeconds,
    leastDiskMebibytes: ctx.config.leastDiskMebibytes,
    keptOutput: ctx.config.keptOutput,
    serverFolder: folderBelowHome(ctx, server),
  }
}

/** The branch of a fork is in another repository; the project's own has its commits under a ref of the pull request. */
function forkRefOf({ environment, project }: TaskToRun): string | null {
  const { isFork, pullRequestNumber: number } = environment
  return isFork && number !== null ? pullRequestRef(project.repositoryHost, number) : null
}

/** The task of the current routes counts too: one that was stopped after its switch serves without having succeeded. */
async function findServingTask(ctx: Context, { environment, live }: TaskToRun): Promise<number | null> {
  const { taskId: routed = 0 } = await listServiceRoutes(ctx.db, environment.id)
  return Math.max(routed, live?.taskId ?? 0) || null
}
