// Checks that a server has enough free disk for a build, and frees some where it has not.

import { dockerScript } from '../../../../commands/docker/script.ts'
import type { Prefetch } from '../../../../deployment/prefetch.ts'
import type { StepIo } from '../../../../deployment/run.ts'
import { CheckFailed } from '../../../../domain/tasks/step-fault.ts'
import { askDocker } from '../../../../remote/ask-docker.ts'
import type { Host } from '../../../../remote/host.ts'
import type { RecipeContext } from '../../../recipe-context.ts'

const MEBIBYTE_KIB = 1024

type DiskRequirement = {
  /** The platform's on the server. */
  readonly folder: string
  readonly leastMebibytes: number
  /** In mebibytes. */
  readonly freeDisk: Prefetch<number>
}

export async function checkDisk(
  { host, say, signal }: StepIo,
  context: Pick<RecipeContext, 'freeDisk'>,
  { folder, leastMebibytes: least, freeDisk }: DiskRequirement,
): Promise<void> {
  const before = await freeDisk.result({ host, signal })
  say(`${before} MiB are free`)
  if (before >= least) return
  say(`A build needs ${least} MiB: the build cache and unused images are removed`)
  await context.freeDisk()
  const free = await readFree(host, folder)
  say(`${free} MiB are free`)
  if (free >= least) return
  throw CheckFailed(
    `${host.name} has ${free} MiB of disk left, and a build needs ${least} MiB. Free some, or enlarge the disk`,
  )
}

/** In mebibytes. */
export async function readFree(host: Host, folder: string): Promise<number> {
  const printed = await askDocker(host, dockerScript('check-disk', folder))
  return Math.floor(Math.min(...printed.trim().split('\n').map(Number)) / MEBIBYTE_KIB)
}
