// Lists the symbolic links of a commit: a path that passes one may lead out of the checkout.
import { listTree } from '../commands/mirror.ts'
import { runProcess } from '../remote/process.ts'
import { gitEnvironment } from './git-environment.ts'

/** Relative to the root. The list of all files is read as it comes: it may be long, and the links are few. */
export async function listLinksAt(mirror: string, sha: string): Promise<ReadonlySet<string>> {
  const links = new Set<string>()
  let rest = ''
  const { exitCode, stderr } = await runProcess(listTree(mirror, sha), {
    environment: gitEnvironment([]),
    timeoutMs: 60_000,
    onOutput: (bytes) => {
      const entries = (rest + bytes.toString('latin1')).split('\0')
      rest = entries.pop() ?? ''
      for (const entry of entries) if (entry.startsWith(LINK)) links.add(pathOf(entry))
    },
  })
  if (exitCode !== 0) throw new Error(`git cannot list ${sha}: ${stderr}`)
  return links
}

const LINK = '120000 '

/** Bytes were kept as they are until here, since a character may be cut in two between pieces. */
function pathOf(entry: string): string {
  return Buffer.from(entry.slice(entry.indexOf('\t') + 1), 'latin1').toString()
}
