// Removes files of an environment, also those that a container wrote as root: the platform's user need not be root.

import { dockerScript } from '../../../commands/docker/script.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'

type Files = { readonly installationId: string; readonly paths: readonly string[] }

const timeoutMs = 5 * 60_000

/** Returns the reason where something stays. A missing path is no failure. */
export async function removeFiles(host: Host, { installationId, paths }: Files): Promise<string | undefined> {
  if (paths.length === 0) return undefined
  const command = dockerScript('remove-files', installationId, ...paths)
  const { exitCode, stderr } = await host.run(command, { timeoutMs })
  return exitCode === 0 ? undefined : lastLine(stderr)
}
