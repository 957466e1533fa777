// What ended tasks have left on a server: which tasks have something there, and taking it away.
import { posix } from 'node:path'
import type { Recipe } from '@shipway/api/values/recipe'
import { listFolders, removeFolders } from '../../../commands/environment-folders.ts'
import { REPORTED_NUMBER } from '../../../domain/reported-number.ts'
import type { TaskOrphans } from '../../../domain/tasks/task-orphans.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { cancelStep } from '../../../remote/steps/durable-step.ts'
import { removeEverything } from '../containers/remove.ts'
import { listContainerTasks, removeOrphanedContainers, type Serving } from './orphaned-containers.ts'
import { removeFiles } from './remove-files.ts'

/** `folder` is the platform's on that server; all environments where none are named. */
type OrphanSearch = {
  readonly folder: string
  readonly environmentIds?: readonly number[]
}

type Cleared = Pick<OrphanSearch, 'folder'> & { readonly paths?: readonly string[] }

export type FoundOrphans = {
  /** Tasks that have something on the server, by environment. An environment without tasks may have a folder all the same. */
  readonly tasks: ReadonlyMap<number, readonly number[]>
  readonly projectIds: readonly number[]
  /** Below the platform's folder. */
  readonly paths: readonly string[]
}

export type Orphan = {
  readonly environmentId: number
  readonly isGone: boolean
  readonly tasks: TaskOrphans
  /** Absent while a task of the environment runs or waits: its containers are that task's to judge. */
  readonly serving?: Serving
}

/** One kind of thing that tasks leave: files, containers. */
export type OrphanKind = {
  list(host: Host, place: OrphanSearch): Promise<FoundOrphans>
  /** Gives a sentence for each thing that had to stay. Does nothing where there is nothing. `paths` are looked for unless given. */
  remove(host: Host, place: Cleared, orphans: readonly Orphan[]): Promise<readonly string[]>
}

export function orphansOf(recipe: Recipe): readonly OrphanKind[] {
  return kinds[recipe]
}

const folders: OrphanKind = {
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
      // A task can end while its server is out of reach: what of it still runs there ends before its folder goes.
      for (const step of doomed.filter(isStep)) await cancelStep(host, `${folder}/${step}`, { patienceMs: 0 })
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

/** A service that no deployment since has changed runs in a container of an old task, so `tasks` cannot judge it. */
const containers: OrphanKind = {
  list: async (host, { folder, environmentIds }) => {
    const found = await listContainerTasks(host, installationOf(folder))
    const isWanted = (id: number): boolean => environmentIds === undefined || environmentIds.includes(id)
    return { tasks: new Map([...found].filter(([id]) => isWanted(id))), projectIds: [], paths: [] }
  },
  remove: async (host, { folder }, orphans) => {
    const installationId = installationOf(folder)
    for (const { environmentId, isGone, serving, tasks } of orphans) {
      const place = { installationId, environmentId }
      const environment = `${folder}/environments/${environmentId}`
      const taskIds = [...tasks.live, ...tasks.kept, ...tasks.over]
      if (isGone) await removeEverything(host, place, 'docker')
      else if (serving)
        await removeOrphanedContainers(
          host,
          { ...place, folder: environment, keptOutput: serving.keptOutput },
          { taskIds, serving },
        )
    }
    return []
  },
}

/** The folder of the platform is named after it. */
const installationOf = (folder: string): string => posix.basename(folder)

const kinds: Readonly<Record<Recipe, readonly OrphanKind[]>> = { manual: [folders], docker: [folders, containers] }

/** Takes paths below the platform's folder away, and says which had to stay. */
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

/** The words of a command have room for so many. */
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

/** A release that was not finished has its number and more behind it. What has another name is nobody's. */
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

/** The traces of steps hold the variables: they go as soon as the task has ended, however it ended. */
function isDoomed(path: string, orphans: readonly Orphan[]): boolean {
  const read = readPath(path)
  const orphan = orphans.find(({ environmentId }) => environmentId === read?.environmentId)
  if (!read || !orphan) return false
  const { live, kept, over } = orphan.tasks
  if (read.taskId === undefined) return orphan.isGone
  if (read.kind === 'tasks') return [...live, ...kept, ...over].includes(read.taskId)
  return over.includes(read.taskId)
}
