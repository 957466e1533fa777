// Writes a file on a host: there whole or not at all, and for the platform's user alone from its first moment.
import { posix } from 'node:path'
import { loadScript, shell } from '../commands/script.ts'
import { ask } from './ask.ts'
import type { Host } from './host.ts'

type Writing = {
  readonly content: string
  /** The user may run it. */
  readonly isProgram?: boolean
  readonly signal?: AbortSignal
}

/** For what anybody may know; a secret is written by writeSecretFile. May be repeated. */
export async function writeFile(
  host: Host,
  path: string,
  { content, isProgram = false, signal }: Writing,
): Promise<void> {
  if (!path.startsWith('/')) throw new TypeError('The path of a file must be absolute')
  const bytes = Buffer.from(content)
  // By standard input: the words of a command are seen by everybody on the server.
  const input = Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])
  const question = {
    command: shell(script, 'shipway-write', path, ...(isProgram ? ['program'] : [])),
    input,
    ...(signal && { signal }),
  }
  await ask(host, question, `${posix.basename(path)} could not be written on ${host.name}`)
}

const script = loadScript(import.meta.url, 'write-file')
