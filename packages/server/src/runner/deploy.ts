// Loads what a recipe needs, opens the doors it may use, and runs it.
import { reservedFor } from '@shipway/api/values/variable'
import type { Context } from '../context.ts'
import { placeInProject } from '../domain/sealed-place.ts'
import { CheckFailed } from '../domain/step-fault.ts'
import { endTask, noteCommit } from '../progress/progress.ts'
import type { Deployment } from '../recipes/deployment.ts'
import { deployManually } from '../recipes/manual/deploy.ts'
import type { Run } from '../recipes/run.ts'
import type { Secret } from '../secrets/secret.ts'
import { violatedUnique } from '../store/database.ts'
import { allotPorts } from '../store/ports.ts'
import { updateRepositoryHostKey } from '../store/projects.ts'
import { replaceRoutes } from '../store/routes.ts'
import { type Lease, lockLease } from '../store/task-queue.ts'
import type { TaskToRun } from '../store/tasks-to-run.ts'
import { listSealedVariables, placeOfVariable } from '../store/variables.ts'
import type { Parts } from './parts.ts'

export type Work = { readonly task: TaskToRun; readonly run: Run; readonly lease: Lease }

export async function deploy(ctx: Context, parts: Parts, { task, run, lease }: Work): Promise<void> {
  const deployment = await loadDeployment(ctx, parts, { task, lease })
  const reserved = [...deployment.variables.keys()].filter((key) => reservedFor(key, task.recipe))
  if (reserved.length > 0) await refuse(run, 'Check variables', reservedSentence(task.recipe, reserved))
  if (task.recipe === 'docker') {
    await refuse(run, 'Choose the recipe', 'The docker recipe comes with the next release. Set the recipe to manual')
  }
  await deployManually(run, deployment)
  await endTask(ctx, lease, { status: 'succeeded' })
}

/** The step that says why nothing was begun. */
function refuse(run: Run, name: string, sentence: string): Promise<never> {
  return run.phase('Prepare', (step) => step(name, () => Promise.reject(CheckFailed(sentence))))
}

const reservedSentence = (recipe: string, keys: readonly string[]): string =>
  `The ${recipe} recipe cannot take these variables: ${keys.join(', ')}. Unset them and deploy again`

export async function loadDeployment(
  ctx: Context,
  parts: Parts,
  { task, lease }: { task: TaskToRun; lease: Lease },
): Promise<Deployment> {
  const { environment, project, server } = task
  const variables = await openVariables(ctx, environment.id)
  return {
    taskId: task.id,
    source: parts.source,
    repository: {
      projectId: project.id,
      address: project.repoUrl,
      publicKey: project.publicKey,
      privateKey: ctx.box.open(
        project.privateKeySealed,
        placeInProject(project.hookId, 'repository_private_key_sealed'),
      ),
      hostKey: project.repositoryHostKey,
    },
    branch: task.branch,
    commitSha: task.commitSha,
    environment,
    project,
    dashboardHost: new URL(ctx.config.baseUrl).hostname,
    variables,
    // On this machine everything lies in the data folder; elsewhere in the home of the platform's user.
    serverFolder: (home) =>
      `${server.connection === 'local' ? `${ctx.config.dataFolder}/server` : `${home}/.shipway`}/${ctx.installationId}`,
    noteCommit: (commit) => noteCommit(ctx, lease, commit),
    onRepositoryHostKey: (projectId, hostKey) => updateRepositoryHostKey(ctx.db, projectId, hostKey),
    allotPorts: async (services) => {
      const names = services.filter(({ port }) => port === null).map(({ name }) => name)
      const ports = await allotPorts(ctx.db, { serverId: server.id, environmentId: environment.id, services: names })
      if (!ports) throw CheckFailed(`${server.name} has no free port left between 20000 and 29999`)
      return Object.fromEntries(ports)
    },
    switchRoutes: (routes) => switchRoutes(ctx, lease, { environmentId: environment.id, routes }),
  }
}

type Routes = { readonly environmentId: number; readonly routes: Parameters<Deployment['switchRoutes']>[0] }

async function switchRoutes(ctx: Context, lease: Lease, { environmentId, routes }: Routes): Promise<void> {
  try {
    await ctx.db.transaction().execute(async (db) => {
      // A worker that lost the task must not lead anybody anywhere.
      if (await lockLease(db, lease)) await replaceRoutes(db, { environmentId, taskId: lease.taskId, routes })
    })
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error
    throw CheckFailed(
      `One of these domains belongs to another environment: ${routes.map(({ domain }) => domain).join(', ')}`,
    )
  }
  ctx.bus.announce({ about: 'routes' })
}

async function openVariables(ctx: Context, environmentId: number): Promise<ReadonlyMap<string, Secret>> {
  const sealed = await listSealedVariables(ctx.db, environmentId)
  return new Map(
    sealed.map(({ key, valueSealed }) => [key, ctx.box.open(valueSealed, placeOfVariable(environmentId, key))]),
  )
}
