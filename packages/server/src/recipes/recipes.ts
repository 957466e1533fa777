// All recipes. Nothing else branches on the recipe of an environment: a new one is an entry here, and one in each table of
// `packages/api/src/values/recipe-facts.ts`.
import type { Recipe } from '@shipway/api/values/recipe'
import type { RepositoryConfig } from '@shipway/rules/service-file/repository-config'
import type { Deployment } from '../deployment/deployment.ts'
import type { Folders } from '../deployment/folders.ts'
import type { DoStep, Run, StepIo } from '../deployment/run.ts'
import type { ActionRun, ActionTarget } from './actions/action-run.ts'
import { deployDocker } from './docker/deploy.ts'
import { findActionTarget } from './docker/find-action-target.ts'
import { runInNewContainer } from './docker/run-in-new-container.ts'
import { deployManually } from './manual/deploy.ts'
import { type DestroyTasks, NO_DESTROY_TASKS, type ReleaseToUndo, readDestroyTasks } from './manual/destroy-tasks.ts'
import { findRelease } from './manual/find-release.ts'
import { runInRelease } from './manual/run-in-release.ts'
import type { RecipeContext } from './recipe-context.ts'
import type { OneOffInFolders } from './runs/one-off.ts'

type RecipeProgram = {
  /** Returns what was deployed, as its `.service.yml` says. */
  deploy(run: Run, deployment: Deployment, context: RecipeContext): Promise<RepositoryConfig>
  /** What the repository wants done before its environment is removed. */
  readDestroyTasks(step: DoStep, context: RecipeContext, release: ReleaseToUndo): Promise<DestroyTasks>
  /** Finds where an action runs. */
  findActionTarget(io: StepIo, context: RecipeContext, action: ActionInFolders): Promise<ActionTarget>
  /** Runs a one-off command in what serves. */
  runOneOff(run: Run, context: RecipeContext, oneOff: OneOffInFolders): Promise<void>
}

type ActionInFolders = { readonly run: ActionRun; readonly folders: Folders }

export const recipes: Readonly<Record<Recipe, RecipeProgram>> = {
  docker: {
    deploy: deployDocker,
    readDestroyTasks: async () => NO_DESTROY_TASKS,
    findActionTarget: (io, context, { run }) => findActionTarget(io, context, run),
    runOneOff: runInNewContainer,
  },
  manual: {
    deploy: deployManually,
    readDestroyTasks,
    findActionTarget: (io, _context, { run, folders }) => findRelease(io, run, folders),
    runOneOff: runInRelease,
  },
}
