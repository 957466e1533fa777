// Reads one file of a commit out of the mirror, without checking anything out.
import { readFile } from '../commands/mirror.ts'
import { askMirror } from './mirror-process.ts'
import { SourceError } from './source-error.ts'

type Place = { readonly sha: string; readonly path: string; readonly maxBytes: number }

/** Undefined where there is no such file. A symlink is not followed: it may lead out of the repository. */
export async function readFileAt(mirror: string, { sha, path, maxBytes }: Place): Promise<Buffer | undefined> {
  const { exitCode, stdout, stderr } = await askMirror(readFile(mirror, sha, { path, maxBytes }))
  if (exitCode !== 0) throw new Error(`git cannot list ${path} of ${sha}: ${stderr}`)
  const end = stdout.indexOf(0)
  const entry = readEntry(stdout.subarray(0, Math.max(0, end)).toString())
  if (entry?.path !== path) return undefined
  if (!entry.mode.startsWith('100'))
    throw new SourceError('not_a_plain_file', `${path} is ${kindOf(entry.mode)}, not a file`)
  if (entry.size > maxBytes) {
    throw new SourceError('too_large', `${path} has ${entry.size} bytes; at most ${maxBytes} are read`)
  }
  const content = stdout.subarray(end + 1)
  if (content.length !== entry.size) throw new Error(`git cannot read ${path} of ${sha}`)
  return content
}

type Entry = { readonly mode: string; readonly size: number; readonly path: string }

function readEntry(line: string): Entry | undefined {
  const [, mode, size, path] = /^(\d{6}) \w+ [0-9a-f]+ +(\d+|-)\t(.*)$/s.exec(line) ?? []
  if (!mode || !size || !path) return undefined
  return { mode, size: Number(size), path }
}

function kindOf(mode: string): string {
  return { '120000': 'a symbolic link', '160000': 'a submodule', '040000': 'a folder' }[mode] ?? 'something else'
}
