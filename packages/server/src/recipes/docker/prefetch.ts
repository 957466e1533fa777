// All work of the docker recipe that is done before its step, beside earlier steps.
//
//   work        starts beside       is used by
//   home        Fetch source        Connect to the server
//   usedPorts   Fetch source        Allocate ports
//   push        Read .service.yml   Push the commit
//   commit      Read .service.yml   Find the compose file
//   variables   Push the commit     Write variables
//   freeDisk    Write variables     Check the disk
//   networks    the first image     Plan services
import type { Deployment } from '../../deployment/deployment.ts'
import type { Folders } from '../../deployment/folders.ts'
import { type Prefetch, prefetch } from '../../deployment/prefetch.ts'
import type { Release } from '../../deployment/release.ts'
import type { StepIo } from '../../deployment/run.ts'
import { writeVariables } from '../../deployment/write-variables.ts'
import type { ReleaseNetwork } from '../../domain/compose/release-networks.ts'
import { findHome } from '../../remote/find-home.ts'
import type { UsedPorts } from '../../runtimes/runtime.ts'
import { ensureCommit } from '../prepare/prepare.ts'
import { type Pushed, pushCommit, SENT } from '../prepare/transfer.ts'
import type { RecipeContext } from '../recipe-context.ts'
import { type CommitFiles, openCommit } from './release/commit-files.ts'
import { readFree } from './release/images/check-disk.ts'

type ServerWork = { readonly home: Prefetch<string>; readonly usedPorts: Prefetch<UsedPorts> }

export function prefetchServer({ ids }: Deployment, { runtime }: RecipeContext): ServerWork {
  return {
    home: prefetch(({ host }) => findHome(host)),
    usedPorts: prefetch(({ host }) => runtime.findUsedPorts(host, ids)),
  }
}

type Commit = { readonly deployment: Deployment; readonly sha: string; readonly folders: Folders }

type ReleaseWork = {
  readonly push: Prefetch<Pushed>
  readonly commit: Prefetch<CommitFiles>
  readonly variables: Prefetch<void>
  /** In mebibytes. */
  readonly freeDisk: Prefetch<number>
}

export function prefetchRelease(commit: Commit, context: RecipeContext): ReleaseWork {
  return {
    push: prefetch((io) => pushCommit(io, context, commit)),
    commit: prefetch(async (io) => {
      await ensureCommit(io, context, commit)
      return openCommit(context, commit)
    }),
    variables: prefetch((io) =>
      writeVariables(io, commit.deployment, { folders: commit.folders, runtime: context.runtime }),
    ),
    freeDisk: prefetch(({ host }) => readFree(host, commit.folders.server)),
  }
}

/** A failed push waits for the variables: nothing may be written after the task has ended. */
export async function finishPush(io: StepIo, { push, variables }: ReleaseWork): Promise<void> {
  io.say(SENT[await push.result(io).finally(() => variables.finished())])
}

export const prefetchNetworks = (
  { runtime }: RecipeContext,
  deployment: Deployment,
  { readModel }: Release,
): Prefetch<readonly ReleaseNetwork[]> =>
  prefetch(async ({ host }) => runtime.makeNetworks(host, deployment, await readModel(host)))
