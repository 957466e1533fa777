// Writes a file on a host atomically, readable only by the platform's user from the start.
import { posix } from 'node:path'
import { loadScript, shell } from '../commands/script.ts'
import { ask } from './ask.ts'
import type { Host } from './host.ts'

type Writing = {
  readonly content: string
  /** Makes the file executable for its owner. */
  readonly isProgram?: boolean
  readonly signal?: AbortSignal
}

/** For content without secrets; otherwise use writeSecretFile. Idempotent. */
export async function writeFile(
  host: Host,
  path: string,
  { content, isProgram = false, signal }: Writing,
): Promise<void> {
  if (!path.startsWith('/')) throw new TypeError('The path of a file must be absolute')
  const bytes = Buffer.from(content)
  // Through standard input: all users of the server can see the arguments of a command.
  const input = Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])
  const question = {
    command: shell(script, 'shipway-write', path, ...(isProgram ? ['program'] : [])),
    input,
    ...(signal && { signal }),
  }
  await ask(host, question, `${posix.basename(path)} could not be written on ${host.name}`)
}

const script = loadScript(import.meta.url, 'write-file')
