/**
 * Links that the user made with `shipway link`. They are stored beside the sign-ins and outside of every checkout: they are never
 * committed, and a repository cannot bring one. A link counts for all worktrees of a repository.
 */
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from '../command-error.ts'
import type { Config } from '../config.ts'
import { withLock } from '../credentials/lock.ts'
import { writeAtomically } from '../repository/write-atomically.ts'
import { findCommonGitFolder } from './current-branch.ts'
import type { Link } from './link-file.ts'

type Paths = Pick<Config, 'credentialsFile'>

/** The platform, the project by its id, its name when it was linked, and perhaps an environment. */
export type StoredLink = {
  readonly url: string
  readonly project_id: number
  readonly project: string
  readonly environment: string | null
}

export async function findUserLink(paths: Paths, folder: string): Promise<(Link & { url: string }) | undefined> {
  const links = await readLinks(fileOf(paths))
  if (Object.keys(links).length === 0) return undefined
  const key = (await keysOf(folder)).find((each) => links[each] !== undefined)
  const stored = key === undefined ? undefined : links[key]
  if (key === undefined || stored === undefined) return undefined
  const { url, project_id, project, environment } = stored
  return {
    by: 'user',
    file: key,
    project: String(project_id),
    projectName: project,
    environment: environment ?? undefined,
    url,
  }
}

/** Undefined removes the link. Returns the folder that it counts for. */
export async function storeUserLink(paths: Paths, folder: string, link: StoredLink | undefined): Promise<string> {
  const file = fileOf(paths)
  const [key = folder] = await keysOf(folder)
  await withLock(file, async () => {
    const { [key]: _before, ...others } = await readLinks(file)
    const links = link === undefined ? others : { ...others, [key]: link }
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeAtomically(file, `${JSON.stringify(links, null, 2)}\n`)
  })
  return key
}

const fileOf = ({ credentialsFile }: Paths): string => join(dirname(credentialsFile), 'links.json')

/** The git folder of the repository; without git, the folder and those above it. */
async function keysOf(folder: string): Promise<string[]> {
  const gitFolder = await findCommonGitFolder(folder)
  return gitFolder === undefined ? upwards(await realpath(folder)) : [await realpath(gitFolder)]
}

const upwards = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...upwards(dirname(folder))]

async function readLinks(file: string): Promise<Readonly<Record<string, StoredLink>>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    const entries = Object.entries(Object(JSON.parse(text))).map(([key, value]) => [key, readLink(value)])
    return Object.fromEntries(entries)
  } catch (cause) {
    const error = new CommandError(`${file} could not be read`, {
      code: 'links_unreadable',
      advice: ['Move it away, and link your checkouts again: shipway link'],
    })
    throw Object.assign(error, { cause })
  }
}

function readLink(value: unknown): StoredLink {
  const { url, project_id, project, environment } = Object(value)
  if (typeof url !== 'string' || typeof project !== 'string' || !Number.isSafeInteger(project_id))
    throw new Error('a link is not complete')
  return { url, project_id, project, environment: typeof environment === 'string' ? environment : null }
}
