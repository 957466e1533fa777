// What the shell on a server is told to run, so that whoever signs in begins in a folder.
import { CommandError } from '../command-error.ts'

/**
 * `folder` is below the home there, or null. Undefined where there is nothing to say: then ssh starts a shell. The words are joined by
 * spaces, as ssh does.
 */
export function commandInFolder(folder: string | null, words: readonly string[]): string | undefined {
  const wanted = words.join(' ')
  if (folder === null) return words.length === 0 ? undefined : wanted
  // It goes into a shell: nothing but what the platform's folders are made of.
  if (!/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/.test(folder) || folder.startsWith('-'))
    throw new CommandError('The platform named a folder that cannot be one of its own', { code: 'strange_folder' })
  if (words.length > 0) return `cd -- ${folder} || exit; ${wanted}`
  return `cd -- ${folder} || echo 'Nothing is deployed yet: this is the home.' >&2; exec "\${SHELL:-/bin/sh}" -l`
}
