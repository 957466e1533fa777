// Follows the tasks and nodes of a Swarm.
import { loadScript, shell } from '../../../commands/script.ts'
import type { Host, RunOptions } from '../../../remote/host.ts'

export async function followEvents(host: Host, installationId: string, options: RunOptions): Promise<void> {
  await host.run(shell(followScript, 'shipway-follow-tasks', installationId), options)
}

const followScript = loadScript(import.meta.url, 'follow-tasks')
