// Follows the events of the Docker Engine about containers of an installation.
import { followEvents as eventsCommand } from '../../../commands/docker/engine.ts'
import type { Host, RunOptions } from '../../../remote/host.ts'

export async function followEvents(host: Host, installationId: string, options: RunOptions): Promise<void> {
  await host.run(eventsCommand(installationId), options)
}
