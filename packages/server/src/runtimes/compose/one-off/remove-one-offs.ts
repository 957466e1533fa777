// Removes containers of one-off commands that have become useless: their terminal was never opened, or the platform process that carried it is gone.
import { dockerScript } from '../../../commands/docker/script.ts'
import { runDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { LostOneOffs } from '../../runtime.ts'

/** Their certificates have ended by then. */
const UNUSED_MINUTES = 10

export async function removeUnusedOneOffs(host: Host, installationId: string): Promise<void> {
  const command = dockerScript('remove-unused', installationId, String(UNUSED_MINUTES))
  await runDocker(host, command, `Docker on ${host.name} cannot be asked`)
}

export async function removeLostOneOffs(host: Host, { installationId, processId }: LostOneOffs): Promise<void> {
  const command = dockerScript('remove-lost', installationId, processId)
  await runDocker(host, command, `Docker on ${host.name} cannot be asked`)
}
