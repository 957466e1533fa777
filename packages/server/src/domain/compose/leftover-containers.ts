// Which containers of an environment nobody needs any more.

type Container = {
  readonly id: string
  readonly service: string
  readonly task: number
  readonly status: string
  readonly mode: string
  readonly origin: string
}

/**
 * `liveTaskId` is the newest deployment that succeeded. Whatever a later task started is left over once that task is over; of what
 * came until then the newest of each service serves. A container that took the place of another stays, since nothing else
 * is there to do its work.
 */
export function leftoverContainers<C extends Container>(
  containers: readonly C[],
  { liveTaskId, activeTaskId }: { readonly liveTaskId: number | null; readonly activeTaskId: number | null },
): C[] {
  const ofOthers = containers.filter(({ task }) => task !== activeTaskId)
  const isLater = ({ task }: C): boolean => liveTaskId === null || task > liveTaskId
  const later = ofOthers.filter((container) => isLater(container) && container.origin !== 'replaced')
  const kept = ofOthers.filter((container) => !later.includes(container))
  const byService = Map.groupBy(kept, ({ service }) => service)
  const older = [...byService.values()].flatMap((own) => own.toSorted((a, b) => b.task - a.task).slice(1))
  // One that had its work to do once would be started again by the next deployment.
  const done = kept.filter(({ mode, status }) => mode === 'one_shot' && status === 'exited')
  return [...new Set([...later, ...older, ...done])]
}
