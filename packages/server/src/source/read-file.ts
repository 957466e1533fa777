// Reads one file of a commit out of the mirror, without checking anything out.
import { keptRefs, type RefNamespace } from '../commands/git.ts'
import { readFile } from '../commands/mirror.ts'
import { queryMirror } from './mirror-process.ts'
import { SourceError } from './source-error.ts'

type FileToRead = {
  readonly sha: string
  readonly path: string
  readonly maxBytes: number
  readonly refNamespace?: RefNamespace
}

/** Undefined if there is no such file. Does not follow a symlink: it may lead out of the repository. */
export async function readFileAt(
  mirror: string,
  { sha, path, maxBytes, refNamespace = keptRefs }: FileToRead,
): Promise<Buffer | undefined> {
  // A trailing slash would list the folder's content; a path that leaves the repository does not exist in it.
  if (path === '' || path.endsWith('/') || path.startsWith('/') || path.split('/').includes('..')) return undefined
  const { exitCode, stdout, stderr } = await queryMirror(readFile(mirror, sha, { path, maxBytes, refNamespace }))
  if (exitCode !== 0) throw new Error(`git cannot read ${path} of ${sha}: ${stderr}`)
  if (stdout.length === 0) return undefined
  const end = stdout.indexOf('\n')
  const [mode = '', size = ''] = stdout.subarray(0, end).toString().split(' ')
  if (!mode.startsWith('100')) throw new SourceError('not_a_plain_file', `${path} is ${kindOf(mode)}, not a file`)
  if (Number(size) > maxBytes) {
    const sentence = `${path} has ${size} bytes, and at most ${maxBytes} are read. Move long scripts and texts into files of their own`
    throw new SourceError('too_large', sentence)
  }
  return stdout.subarray(end + 1)
}

function kindOf(mode: string): string {
  return { '120000': 'a symbolic link', '160000': 'a submodule', '040000': 'a folder' }[mode] ?? 'something else'
}
