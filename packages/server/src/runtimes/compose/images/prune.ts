// Frees the disk of a server: removes what deleted environments have left in Docker, unnamed images, and what the build cache has
// above its bound. Keeps everything without the platform's label.

import { dockerScript } from '../../../commands/docker/script.ts'
import { ask } from '../../../remote/ask.ts'
import { askDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { FreeDiskOptions } from '../../runtime.ts'
import { removeEverything } from '../containers/remove.ts'

/** A build that is under way may not have named its image yet. */
const USUAL_MINUTES = 60
/** Large records of the cache are removed one by one. */
const timeoutMs = 15 * 60_000

export async function prune(
  host: Host,
  { installationId, cacheGigabytes, goneOf, minutes = USUAL_MINUTES }: FreeDiskOptions,
): Promise<void> {
  for (const environmentId of await goneOf(await listEnvironments(host, installationId))) {
    await removeEverything(host, { installationId, environmentId }, { mayLackEngine: false })
  }
  const command = dockerScript('prune', installationId, String(minutes), String(cacheGigabytes))
  await ask(host, { command, timeoutMs }, `Docker on ${host.name} could not free its disk`)
}

async function listEnvironments(host: Host, installationId: string): Promise<readonly number[]> {
  const printed = await askDocker(host, dockerScript('list-environments', installationId))
  return printed.split('\n').filter(Boolean).map(Number).filter(Number.isSafeInteger)
}
