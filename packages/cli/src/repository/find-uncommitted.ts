// Finds files that differ from the last commit, since the platform deploys commits.
import { hash } from 'node:crypto'
import { runGit } from './run-git.ts'

/** `new`: the last commit does not have it. */
export type Uncommitted = { readonly file: string; readonly state: 'changed' | 'new' }

export async function findUncommitted(
  files: ReadonlyMap<string, Uint8Array>,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<readonly Uncommitted[]> {
  if (files.size === 0) return []
  const printed = await runGit(['ls-tree', '-z', 'HEAD', ...[...files.keys()].map((file) => `./${file}`)], {
    folder,
    signal,
  })
  const lines = printed?.toString().split('\0').filter(Boolean) ?? []
  const ids = new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.split(/[ \t]/)[2] ?? '']))
  return [...files].flatMap(([file, content]): Uncommitted[] => {
    const id = ids.get(file)
    if (id === undefined) return [{ file, state: 'new' }]
    return idsOf(content, id.length).includes(id) ? [] : [{ file, state: 'changed' }]
  })
}

/** As git computes them: of the bytes, and of the text with Unix line ends, which git may commit instead. */
function idsOf(content: Uint8Array, length: number): string[] {
  const bytes = Buffer.from(content)
  const unixText = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
  return [bytes, unixText].map((each) =>
    hash(length === 64 ? 'sha256' : 'sha1', Buffer.concat([Buffer.from(`blob ${each.length}\0`), each])),
  )
}
