// Writes the pack of a commit: the commit and those of its folders and files that a base does not have. Nothing else is sent.
import { open } from 'node:fs/promises'
import { CommandError } from '../command-error.ts'
import type { TreeCommit } from './make-commit.ts'
import { type GitOptions, runGit, tryGit } from './run-git.ts'

type PackOptions = {
  readonly base: string | null
  readonly file: string
  readonly mostBytes: number
}

/** Returns its size. */
export async function writePack({ sha, git }: TreeCommit, { base, file, mostBytes }: PackOptions): Promise<number> {
  const known = base === null ? new Set<string>() : await listObjects(git, base)
  const wanted = [...(await listObjects(git, sha))].filter((id) => !known.has(id))
  const pack = await open(file, 'wx', 0o600)
  let bytes = 0
  try {
    await runGit(['pack-objects', '--stdout', '-q'], {
      ...git,
      input: `${[sha, ...wanted].join('\n')}\n`,
      onOutput: async (piece) => {
        bytes += piece.length
        if (bytes > mostBytes) throw TooLarge(mostBytes)
        await pack.appendFile(piece)
      },
    })
  } finally {
    await pack.close()
  }
  return bytes
}

/** The folders and files of a commit; submodules are commits of other repositories. */
async function listObjects(git: GitOptions, commit: string): Promise<Set<string>> {
  const root = (await runGit(['rev-parse', '--verify', `${commit}^{tree}`], git)).toString().trim()
  const listed = await runGit(['ls-tree', '-r', '-t', '-z', '--full-tree', commit], git)
  const entries = listed.toString('latin1').split('\0').filter(Boolean)
  const ids = entries.flatMap((entry) => {
    const [, type, id = ''] = entry.split('\t', 1)[0]?.split(' ') ?? []
    return type === 'commit' ? [] : [id]
  })
  return new Set([root, ...ids])
}

/** Commits of the history that were pushed, the newest first: the platform may have one of them. */
export async function listPushed(git: GitOptions, most: number): Promise<string[]> {
  const list = async (...words: string[]): Promise<string[]> => {
    const { code, output } = await tryGit(['rev-list', ...words], git)
    return code === 0 ? output.toString().split('\n').filter(Boolean) : []
  }
  const recent = await list(`--max-count=${RECENT}`, 'HEAD')
  const local = new Set(await list(`--max-count=${RECENT}`, 'HEAD', '--not', '--remotes'))
  return recent.filter((sha) => !local.has(sha)).slice(0, most)
}

const RECENT = 1000

const TooLarge = (bytes: number): CommandError =>
  new CommandError(`What would be sent has more than ${Math.floor(bytes / 1024 ** 2)} MiB`, {
    code: 'too_large',
    advice: ['Ignore large files in .gitignore, or push the branch and deploy it: shipway deploy'],
  })
