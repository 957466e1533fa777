// Reads one file of a commit out of the mirror, without checking anything out.
import { listFile, readBlob } from '../commands/mirror.ts'
import { askMirror } from './mirror-process.ts'
import { SourceError } from './source-error.ts'

type Place = { readonly sha: string; readonly path: string; readonly maxBytes: number }

/** Undefined where there is no such file. A symlink is not followed: it may lead out of the repository. */
export async function readFileAt(mirror: string, { sha, path, maxBytes }: Place): Promise<Buffer | undefined> {
  const listed = await askMirror(listFile(mirror, sha, path))
  if (listed.exitCode !== 0) throw new Error(`git cannot list ${path} of ${sha}: ${listed.stderr}`)
  const entries = listed.stdout.toString().split('\0').map(readEntry)
  const entry = entries.find((candidate) => candidate?.path === path)
  if (!entry) return undefined
  if (!entry.mode.startsWith('100'))
    throw new SourceError('not_a_plain_file', `${path} is ${kindOf(entry.mode)}, not a file`)
  if (entry.size > maxBytes) {
    throw new SourceError('too_large', `${path} has ${entry.size} bytes; at most ${maxBytes} are read`)
  }
  const { exitCode, stdout, stderr } = await askMirror(readBlob(mirror, entry.object))
  if (exitCode !== 0) throw new Error(`git cannot read ${path} of ${sha}: ${stderr}`)
  return stdout
}

type Entry = { readonly mode: string; readonly object: string; readonly size: number; readonly path: string }

function readEntry(line: string): Entry | undefined {
  const [, mode, object, size, path] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? []
  if (!mode || !object || !size || !path) return undefined
  return { mode, object, size: Number(size), path }
}

function kindOf(mode: string): string {
  return { '120000': 'a symbolic link', '160000': 'a submodule', '040000': 'a folder' }[mode] ?? 'something else'
}
