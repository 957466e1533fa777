// Keeps the output of containers that are removed: it is read together with that of their replacements. Never fails a deployment.
import type { Command } from '../../../commands/command.ts'
import { CommandStopped, type Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import { followContainer, keepContainers, type OutputLimits } from '../../../remote/output/output-scripts.ts'

export type KeptOutput = {
  /** The folder for kept output of the environment. */
  readonly folder: string
  readonly limits: OutputLimits
}

/** Stops them, each within its own grace period. Returns a sentence for each whose output is not kept whole. */
export async function keepOutput(
  host: Host,
  { folder, limits }: KeptOutput,
  containers: readonly { readonly id: string }[],
): Promise<readonly string[]> {
  const ids = containers.map(({ id }) => id)
  return keepPrinted(host, keepContainers(folder, limits, ids))
}

/** Returns the sentences that the command prints, and why it failed. */
export async function keepPrinted(host: Host, command: Command): Promise<readonly string[]> {
  try {
    const { exitCode, stdout, stderr } = await host.run(command)
    const notes = stdout.toString().split('\n').filter(Boolean)
    return exitCode === 0 ? notes : [...notes, `What containers have printed could not be kept: ${lastLine(stderr)}`]
  } catch (error) {
    if (!(error instanceof CommandStopped) || error.reason === 'aborted') throw error
    return ['What containers have printed is not kept: reading it took too long']
  }
}

/** For a container that Compose removes: follows its output until it ends. */
export async function followOutput(host: Host, { folder, limits }: KeptOutput, id: string): Promise<readonly string[]> {
  const { exitCode, stderr } = await host.run(followContainer(folder, limits, id))
  return exitCode === 0 ? [] : [`What the old container has printed is not kept: ${lastLine(stderr)}`]
}
