// Files that ended tasks have left on a server: releases, and the traces of their steps.
import { posix } from 'node:path'
import { listFolders, removeFolders } from '../../../commands/environment-folders.ts'
import { REPORTED_NUMBER } from '../../../domain/reported-number.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { cancelStep } from '../../../remote/steps/durable-step.ts'
import type { Orphan, OrphanKind, OrphanSearch } from '../../orphan.ts'
import { removeFiles } from './remove-files.ts'

export const orphanedFiles: OrphanKind = {
  list: async (host, place) => {
    const paths = await listPaths(host, place)
    const tasks = new Map<number, number[]>()
    for (const { environmentId, taskId } of paths.flatMap((path) => readPath(path) ?? [])) {
      const known = tasks.get(environmentId) ?? []
      tasks.set(environmentId, taskId === undefined ? known : [...known, taskId])
    }
    const projectIds = paths.flatMap((path) => /^repositories\/(\d+)\.git$/.exec(path)?.[1] ?? []).map(Number)
    return { tasks, projectIds, paths }
  },
  remove: async (host, { folder, paths }, orphans) => {
    const stayed: string[] = []
    for (const some of inPieces(orphans)) {
      const environmentIds = some.map(({ environmentId }) => environmentId)
      const found = paths ?? (await listPaths(host, { folder, environmentIds }))
      const doomed = found.filter((path) => isDoomed(path, some))
      // A task can end while its server is out of reach: end what still runs there before its folder is removed.
      for (const step of doomed.filter(isStep)) await cancelStep(host, `${folder}/${step}`, { giveUpAfterMs: 0 })
      stayed.push(
        ...(await removePaths(
          host,
          folder,
          doomed.filter((path) => !isStep(path)),
        )),
      )
    }
    return stayed
  },
}

/** The platform's folder is named after its installation. */
export const installationOf = (folder: string): string => posix.basename(folder)

/** Removes paths below the platform's folder. Returns a sentence for each that had to stay. */
export async function removePaths(host: Host, folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const stayed: string[] = []
  for (const some of inPieces(paths)) {
    const { exitCode, stdout } = await host.run(removeFolders(folder, some), { timeoutMs })
    const inUse = stdout.toString().split('\n').filter(Boolean)
    stayed.push(...inUse.map((path) => `${path} stays for now: a process works in it`))
    if (exitCode === 0) continue
    const rest = some.filter((path) => !inUse.includes(path)).map((path) => `${folder}/${path}`)
    const reason = await removeFiles(host, { installationId: installationOf(folder), paths: rest })
    if (reason !== undefined) stayed.push(`Not everything could be removed: ${reason}`)
  }
  return stayed
}

/** Limit of paths in one command line. */
const MOST_AT_ONCE = 100

const inPieces = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / MOST_AT_ONCE) }, (_, index) =>
    items.slice(index * MOST_AT_ONCE, (index + 1) * MOST_AT_ONCE),
  )

const timeoutMs = 5 * 60_000

async function listPaths(host: Host, { folder, environmentIds }: OrphanSearch): Promise<readonly string[]> {
  const question = { command: listFolders(folder, environmentIds), timeoutMs }
  return (await ask(host, question, `The folders on ${host.name} could not be listed`)).split('\n')
}

type ReadPath = {
  readonly environmentId: number
  readonly kind: 'releases' | 'tasks' | undefined
  readonly taskId: number | undefined
}

/** An unfinished release has a suffix behind its number. Other names are ignored. */
function readPath(path: string): ReadPath | undefined {
  const match = LEFT_PATH.exec(path)
  if (!match?.[1]) return undefined
  const kind = match[2] === 'releases' || match[2] === 'tasks' ? match[2] : undefined
  return { environmentId: Number(match[1]), kind, taskId: match[3] === undefined ? undefined : Number(match[3]) }
}

const LEFT_PATH = new RegExp(
  `^environments/(${REPORTED_NUMBER})(?:/(releases|tasks)/(${REPORTED_NUMBER})(?:\\.unfinished\\.[0-9.a-z]+|/\\d+)?)?$`,
)

const isStep = (path: string): boolean => /^environments\/\d+\/tasks\/\d+\/\d+$/.test(path)

/** Files of steps hold variables: they are removed as soon as the task has ended, in whatever way. */
function isDoomed(path: string, orphans: readonly Orphan[]): boolean {
  const read = readPath(path)
  const orphan = orphans.find(({ environmentId }) => environmentId === read?.environmentId)
  if (!read || !orphan) return false
  const { live, kept, over } = orphan.tasks
  if (read.taskId === undefined) return orphan.isGone
  if (read.kind === 'tasks') return [...live, ...kept, ...over].includes(read.taskId)
  return over.includes(read.taskId)
}
