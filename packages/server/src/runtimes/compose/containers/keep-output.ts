// Keeps what containers have printed when they go: it is read together with what the ones in their place print. Nothing fails by it.
import { CommandStopped, type Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import { followContainer, keepContainers, type OutputBounds } from '../../../remote/output/output-scripts.ts'

export type KeptOutput = {
  /** Where the output of the environment is kept. */
  readonly folder: string
  readonly bounds: OutputBounds
}

/** Stops them, each in its own time. Gives a sentence for each whose output is not kept, or not all of it. */
export async function keepOutput(
  host: Host,
  { folder, bounds }: KeptOutput,
  containers: readonly { readonly id: string }[],
): Promise<readonly string[]> {
  const ids = containers.map(({ id }) => id)
  try {
    const { exitCode, stdout, stderr } = await host.run(keepContainers(folder, bounds, ids))
    const told = stdout.toString().split('\n').filter(Boolean)
    return exitCode === 0 ? told : [...told, `What containers have printed could not be kept: ${lastLine(stderr)}`]
  } catch (error) {
    if (!(error instanceof CommandStopped) || error.reason === 'aborted') throw error
    return ['What containers have printed is not kept: reading it took too long']
  }
}

/** For a container that Compose removes: what it prints is written down from now until its end. */
export async function followOutput(host: Host, { folder, bounds }: KeptOutput, id: string): Promise<readonly string[]> {
  const { exitCode, stderr } = await host.run(followContainer(folder, bounds, id))
  return exitCode === 0 ? [] : [`What the old container has printed is not kept: ${lastLine(stderr)}`]
}
