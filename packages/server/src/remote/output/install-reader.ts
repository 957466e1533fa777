// Installs the program that reads the output of environments on a server, in the version of this platform.
import { READ_OUTPUT } from '../access/read-output-command.ts'
import type { Host } from '../host.ts'
import { writeFile } from '../write-file.ts'
import { readerProgram } from './output-scripts.ts'

/** `folder` is the platform's on that server. Idempotent. */
export function installReader(
  host: Host,
  folder: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  return writeFile(host, `${folder}/${READ_OUTPUT}`, { content: readerProgram, isProgram: true, ...options })
}
