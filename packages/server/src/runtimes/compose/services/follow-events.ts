// Follows what the Docker Engine of a machine tells of the containers of an installation.
import { followEvents } from '../../../commands/docker/engine.ts'
import type { Host, RunOptions } from '../../../remote/host.ts'

/** Ends when it is stopped, or where the Engine goes away. */
export async function hearEvents(host: Host, installationId: string, options: RunOptions): Promise<void> {
  await host.run(followEvents(installationId), options)
}
