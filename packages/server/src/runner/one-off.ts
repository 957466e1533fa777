// Runs a one-off command of a user in the serving release.
import { commandLine } from '@shipway/api/values/command-line'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { runCommandContext } from '../domain/encryption-context.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import { endTask } from '../progress/progress.ts'
import { runOneOffProgram } from '../recipes/runs/run-one-off.ts'
import { maskWords } from '../secrets/mask-words.ts'
import { findServing } from '../store/actions/environment-actions.ts'
import { listRoutedServices } from '../store/environments/services.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'
import { createRecipeContext } from './create-recipe-context.ts'
import { loadDeployment } from './load-deployment.ts'
import type { ProgramInput } from './program-input.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'

export async function runOneOff(ctx: Context, dependencies: RunnerDependencies, input: ProgramInput): Promise<void> {
  const { task, run, lease, secrets } = input
  const deployment = await loadDeployment(ctx, input)
  const words = openWords(ctx, task)
  // Recorded as the result of a step, because a deployment that ends meanwhile may serve from then on.
  const found = await run.phase('Prepare')('Find the command', () => findServingRelease(ctx, task))
  await runOneOffProgram(run, await createRecipeContext(ctx, dependencies, input), {
    deployment,
    ...found,
    recipe: task.recipe,
    words,
    // Masked before it is cut: half of a value would be shown.
    title: commandLine(maskWords(secrets.mask, words)).slice(0, MAX_TITLE),
  })
  await run.complete()
  await endTask(ctx, lease, { status: 'succeeded' })
}

const MAX_TITLE = 200

const Words = z.tuple([z.string()], z.string())

function openWords(ctx: Context, { commandSealed, environment }: TaskToRun): readonly [string, ...string[]] {
  if (commandSealed === null) throw new Error('A one-off command has no words')
  return Words.parse(JSON.parse(ctx.box.open(commandSealed, runCommandContext(environment.id)).reveal()))
}

async function findServingRelease(ctx: Context, task: TaskToRun) {
  const environmentId = task.environment.id
  const serving = await findServing(ctx.db, { environmentId, serverId: task.server.id })
  if (!serving) throw CheckFailed('Nothing of this environment is deployed now. Deploy it, and run the command again')
  const [main] = (await listRoutedServices(ctx.db, [environmentId])).get(environmentId) ?? []
  return { servingTaskId: serving.taskId, service: task.service, mainService: main?.name ?? null }
}
