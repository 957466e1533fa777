// Writes the compose file that runs, beside the checked model on the server. Directly before each use the file is compared with the
// digest that the plan handed on, and the paths that it mounts are checked again.
import { hash } from 'node:crypto'
import { composeJson } from '@shipway/rules/compose/escaped-dollars'
import type { JsonObject } from '@shipway/rules/compose/model'
import type { Command } from '../../commands/command.ts'
import type { CheckedProject } from '../../commands/docker/compose.ts'
import { dockerScript } from '../../commands/docker/script.ts'
import { unguessable } from '../../deployment/checked-model.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { Host } from '../../remote/host.ts'
import { writeSecretFile } from '../../remote/write-secret-file.ts'
import { Secret } from '../../secrets/secret.ts'

type Files = Pick<Folders, 'compose' | 'mounted'>

/** `paths` are those of the release that it mounts. Returns the digest of both files. */
export async function writeRunnable(
  host: Host,
  folders: Files,
  { document, paths }: { readonly document: JsonObject; readonly paths: readonly string[] },
): Promise<string> {
  const text = composeJson({ ...document, ...unguessable() })
  const lines = paths.map((path) => `${path}\n`).join('')
  await writeSecretFile(host, folders.compose, { content: new Secret(text) })
  if (paths.length > 0) await writeSecretFile(host, folders.mounted, { content: new Secret(lines) })
  return hash('sha256', text + lines)
}

export type Runnable = {
  readonly project: CheckedProject
  /** Runs the command only if all is as it was checked. */
  guarded(command: Command): Command
}

export function runnableIn(folders: Folders, name: string, digest: string): Runnable {
  return {
    project: { name, directory: folders.task, file: folders.compose, variablesFile: folders.variables },
    guarded: (command) =>
      dockerScript('run-checked', folders.release, folders.mounted, folders.compose, digest, ...command),
  }
}
