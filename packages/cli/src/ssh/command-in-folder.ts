// The remote command that starts a shell, or the user's command, in a folder of the server.
import { CommandError } from '../command-error.ts'

/**
 * `folder` is relative to the home folder, or null. Undefined if ssh should just start a shell. The words are joined by
 * spaces, as ssh does.
 */
export function commandInFolder(folder: string | null, words: readonly string[]): string | undefined {
  const command = words.join(' ')
  if (folder === null) return words.length === 0 ? undefined : command
  // A shell will read it, so only characters that the platform's folder names use are allowed.
  if (!/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/.test(folder) || folder.startsWith('-'))
    throw new CommandError('The platform sent a folder name that cannot be one of its own', { code: 'strange_folder' })
  if (words.length > 0) return `cd -- ${folder} || exit; ${command}`
  return `cd -- ${folder} || echo 'Nothing is deployed yet. This is the home folder.' >&2; exec "\${SHELL:-/bin/sh}" -l`
}
