// Writes a file that holds secrets, such as values of variables: nothing of it is ever in the words of a command.
import type { Secret } from '../secrets/secret.ts'
import type { Host } from './host.ts'
import { writeFile } from './write-file.ts'

type Writing = { readonly content: Secret; readonly signal?: AbortSignal }

/** May be repeated. */
export function writeSecretFile(host: Host, path: string, { content, ...writing }: Writing): Promise<void> {
  return writeFile(host, path, { ...writing, content: content.reveal() })
}
