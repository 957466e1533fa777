// Inspects paths of a release on its server, where symbolic links may exist that the commit does not have.

import { dockerScript } from '../../../commands/docker/script.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'

export type PathKind = 'link' | 'folder' | 'empty' | 'file' | 'absent'

/** What is at each of them. The paths are absolute and hold no line end. */
export async function inspectPaths(
  host: Host,
  release: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, PathKind>> {
  if (paths.length === 0) return new Map()
  const question = { command: dockerScript('inspect-paths', release), input: `${paths.join('\n')}\n` }
  const sentence = `The release cannot be inspected on ${host.name}`
  const words = (await ask(host, question, sentence)).trim().split('\n')
  if (words.length !== paths.length)
    throw CheckFailed(`${sentence}: it reported ${words.length} of ${paths.length} paths`)
  // An unknown word counts as the dangerous kind.
  return new Map(paths.map((path, index) => [path, KINDS.find((kind) => kind === words[index]) ?? 'link']))
}

const KINDS: readonly PathKind[] = ['link', 'folder', 'empty', 'file', 'absent']

/** Throws where a path passes a symbolic link: it would lead elsewhere than to what was checked. */
export async function refuseLinks(host: Host, release: string, paths: readonly string[]): Promise<void> {
  const kinds = await inspectPaths(host, release, paths)
  const links = paths.filter((path) => kinds.get(path) === 'link')
  if (links.length === 0) return
  const names = links.map((path) => path.slice(release.length + 1)).join(', ')
  throw CheckFailed(`A link leads elsewhere from ${names}. Use paths that pass no symbolic link`)
}
