// Writes a file that holds secrets: readable by the platform's user alone from its first moment, there whole or not at all.
import { loadScript, shell } from '../commands/script.ts'
import type { Secret } from '../secrets/secret.ts'
import { ask } from './ask.ts'
import type { Host } from './host.ts'

/** The content goes by standard input: the words of a command are seen by everybody on the server. May be repeated. */
export async function writeSecretFile(
  host: Host,
  path: string,
  { content, signal }: { readonly content: Secret; readonly signal?: AbortSignal },
): Promise<void> {
  if (!path.startsWith('/')) throw new TypeError('The path of a secret file must be absolute')
  const bytes = Buffer.from(content.reveal())
  const input = Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])
  const question = { command: shell(script, 'shipway-write', path), input, ...(signal && { signal }) }
  await ask(host, question, `The variable file could not be written on ${host.name}`)
}

const script = loadScript(import.meta.url, 'write-file')
