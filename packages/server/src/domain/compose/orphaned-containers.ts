// Decides which containers of an environment are orphans.

type Container = {
  readonly id: string
  readonly service: string
  readonly task: number
  readonly status: string
  readonly mode: string
  readonly origin: string
}

type Tasks = { readonly liveTaskId: number | null; readonly activeTaskId: number | null }

/** The mode of a container that a user started for one command. It belongs to no service, and deployments leave it alone. */
export const ONE_OFF = 'one_off'

/**
 * One-off commands are never among them: they go on in the version that they began in, with its networks.
 *
 * `liveTaskId` is the newest deployment that succeeded. Whatever a later task started is left over once that task is over; of what
 * came until then the newest of each service serves. A container that took the place of another stays as long as nothing else
 * is there to do its work.
 */
export function orphanedContainers<C extends Container>(containers: readonly C[], tasks: Tasks): C[] {
  const ofOthers = containers.filter(({ task, mode }) => task !== tasks.activeTaskId && mode !== ONE_OFF)
  const isInUse = (container: C): boolean =>
    isReplacement(container, tasks) && !earlierOf(container, ofOthers, tasks).some(({ status }) => status !== 'created')
  const later = ofOthers.filter((container) => isLater(container, tasks) && !isInUse(container))
  const kept = ofOthers.filter((container) => !later.includes(container))
  const byService = Map.groupBy(kept, ({ service }) => service)
  const older = [...byService.values()].flatMap((own) => own.toSorted((a, b) => b.task - a.task).slice(1))
  // One that had its work to do once would be started again by the next deployment.
  const done = kept.filter(({ mode, status }) => mode === 'one_shot' && status === 'exited')
  return [...new Set([...later, ...older, ...done])]
}

/**
 * Those that took the place of one that served, for a deployment that did not come to serve. One that was created and not started
 * is among them whatever the old one does: it may be about to stop for it.
 */
export function failedReplacements<C extends Container>(containers: readonly C[], tasks: Tasks): C[] {
  return containers.filter(
    (container) =>
      isReplacement(container, tasks) &&
      (container.status === 'created' ||
        !earlierOf(container, containers, tasks).some(({ status }) => RUNNING.includes(status))),
  )
}

/** The ones of the same service that came until the newest deployment that succeeded. */
export function earlierOf<C extends Container>({ service }: C, containers: readonly C[], tasks: Tasks): C[] {
  return containers.filter((other) => other.service === service && !isLater(other, tasks))
}

const RUNNING: readonly string[] = ['running', 'restarting', 'paused']

const isReplacement = (container: Container, tasks: Tasks): boolean =>
  isLater(container, tasks) && container.origin === 'replaced' && container.task !== tasks.activeTaskId

const isLater = ({ task }: Container, { liveTaskId }: Tasks): boolean => liveTaskId === null || task > liveTaskId
