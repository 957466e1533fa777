// Waits for the next change of a task. One that comes while nobody waits is remembered, so that none is missed.
import type { Context } from '../../context.ts'
import { type Bell, createBell } from '../../pacing/bell.ts'

export type TaskChanges = Pick<Bell, 'next' | 'forget'> & { end(): void }

export function listenToTask(bus: Context['bus'], taskId: number): TaskChanges {
  const bell = createBell()
  const end = bus.listen((news) => {
    if (news.about === 'missed') bell.ring()
    else if (OF_A_TASK.includes(news.about) && 'id' in news && news.id === taskId) bell.ring()
  })
  return { next: bell.next, forget: bell.forget, end }
}

/** Of all that is told with the id of a task, what its followers see. */
const OF_A_TASK: readonly string[] = ['task', 'step', 'output']
