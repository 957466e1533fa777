// Installs the program that reads the output of environments on a server, in the version of this platform.
import type { RuntimeName } from '@shipway/api/values/runtime'
import { READ_OUTPUT } from '../access/read-output-command.ts'
import type { Host } from '../host.ts'
import { writeFile } from '../write-file.ts'
import { readerPrograms } from './output-scripts.ts'

/** `folder` is the platform's on that server. Idempotent. */
export function installReader(
  host: Host,
  folder: string,
  { runtime, ...options }: { readonly runtime: RuntimeName; readonly signal?: AbortSignal },
): Promise<void> {
  return writeFile(host, `${folder}/${READ_OUTPUT}`, { content: readerPrograms[runtime], isProgram: true, ...options })
}
