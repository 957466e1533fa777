// Waits for the next change of a task. One that comes while nobody waits is remembered, so that none is missed.
import type { Context } from '../../context.ts'
import { createSignal, type Signal } from '../../scheduling/signal.ts'

export type TaskChanges = Pick<Signal, 'next' | 'forget'> & { end(): void }

export function listenToTask(bus: Context['bus'], taskId: number): TaskChanges {
  const changed = createSignal()
  const end = bus.listen((event) => {
    if (event.about === 'missed') changed.fire()
    else if (OF_A_TASK.includes(event.about) && 'id' in event && event.id === taskId) changed.fire()
  })
  return { next: changed.next, forget: changed.forget, end }
}

/** Of all that is told with the id of a task, what its followers see. */
const OF_A_TASK: readonly string[] = ['task', 'step', 'output']
