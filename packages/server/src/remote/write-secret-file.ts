// Writes a file that contains secrets, such as values of variables: they are never in the arguments of a command.
import type { Secret } from '../secrets/secret.ts'
import type { Host } from './host.ts'
import { writeFile } from './write-file.ts'

type Writing = { readonly content: Secret; readonly signal?: AbortSignal }

/** Idempotent. */
export function writeSecretFile(host: Host, path: string, { content, ...writing }: Writing): Promise<void> {
  return writeFile(host, path, { ...writing, content: content.reveal() })
}
