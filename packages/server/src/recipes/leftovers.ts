// What ended tasks have left on a server: which tasks have something there, and taking it away.
import { posix } from 'node:path'
import type { Recipe } from '@shipway/api/values/recipe'
import { listFolders, removeFolders } from '../commands/environment-folders.ts'
import type { Remains } from '../domain/tasks/task-remains.ts'
import { TOLD_NUMBER } from '../domain/told-number.ts'
import { ask } from '../remote/ask.ts'
import type { Host } from '../remote/host.ts'
import { cancelStep } from '../remote/steps/durable-step.ts'
import { listContainerTasks, removeLeftContainers, type Serving } from './docker/containers/left-containers.ts'
import { removeEverything } from './docker/containers/remove.ts'
import { removeFiles } from './docker/containers/remove-files.ts'

/** `folder` is the platform's on that server; all environments where none are named. */
type LeftoversSearch = {
  readonly folder: string
  readonly environmentIds?: readonly number[]
}

type Cleared = Pick<LeftoversSearch, 'folder'> & { readonly paths?: readonly string[] }

export type FoundLeftovers = {
  /** Tasks that have something on the server, by environment. An environment without tasks may have a folder all the same. */
  readonly tasks: ReadonlyMap<number, readonly number[]>
  readonly projectIds: readonly number[]
  /** Below the platform's folder. */
  readonly paths: readonly string[]
}

export type Leftover = {
  readonly environmentId: number
  readonly isGone: boolean
  readonly remains: Remains
  /** Absent while a task of the environment runs or waits: its containers are that task's to judge. */
  readonly serving?: Serving
}

/** One kind of thing that tasks leave: files, containers. */
export type Leftovers = {
  list(host: Host, place: LeftoversSearch): Promise<FoundLeftovers>
  /** Gives a sentence for each thing that had to stay. Does nothing where there is nothing. `paths` are looked for unless given. */
  remove(host: Host, place: Cleared, leftovers: readonly Leftover[]): Promise<readonly string[]>
}

export function leftoversOf(recipe: Recipe): readonly Leftovers[] {
  return kinds[recipe]
}

const folders: Leftovers = {
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
  remove: async (host, { folder, paths }, leftovers) => {
    const stayed: string[] = []
    for (const some of inPieces(leftovers)) {
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

/** A service that no deployment since has changed runs in a container of an old task, so `remains` cannot judge it. */
const containers: Leftovers = {
  list: async (host, { folder, environmentIds }) => {
    const found = await listContainerTasks(host, installationOf(folder))
    const isWanted = (id: number): boolean => environmentIds === undefined || environmentIds.includes(id)
    return { tasks: new Map([...found].filter(([id]) => isWanted(id))), projectIds: [], paths: [] }
  },
  remove: async (host, { folder }, leftovers) => {
    const installationId = installationOf(folder)
    for (const { environmentId, isGone, serving, remains } of leftovers) {
      const place = { installationId, environmentId }
      const environment = `${folder}/environments/${environmentId}`
      const taskIds = [...remains.live, ...remains.kept, ...remains.over]
      if (isGone) await removeEverything(host, place, 'docker')
      else if (serving)
        await removeLeftContainers(
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

const kinds: Readonly<Record<Recipe, readonly Leftovers[]>> = { manual: [folders], docker: [folders, containers] }

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

async function listPaths(host: Host, { folder, environmentIds }: LeftoversSearch): Promise<readonly string[]> {
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
  `^environments/(${TOLD_NUMBER})(?:/(releases|tasks)/(${TOLD_NUMBER})(?:\\.unfinished\\.[0-9.a-z]+|/\\d+)?)?$`,
)

const isStep = (path: string): boolean => /^environments\/\d+\/tasks\/\d+\/\d+$/.test(path)

/** The traces of steps hold the variables: they go as soon as the task has ended, however it ended. */
function isDoomed(path: string, leftovers: readonly Leftover[]): boolean {
  const read = readPath(path)
  const leftover = leftovers.find(({ environmentId }) => environmentId === read?.environmentId)
  if (!read || !leftover) return false
  const { live, kept, over } = leftover.remains
  if (read.taskId === undefined) return leftover.isGone
  if (read.kind === 'tasks') return [...live, ...kept, ...over].includes(read.taskId)
  return over.includes(read.taskId)
}
