// The six phases of every deployment, in their order, whether it has reached them or not.
import type { Phase, Task } from '@shipway/api'

export const PHASES = ['Prepare', 'Transfer', 'Build', 'Start', 'Switch', 'Clean up'] as const
export type PhaseState = 'waits' | 'runs' | 'done' | 'failed' | 'unreached'
export type TaskPhase = { readonly name: string; readonly state: PhaseState; readonly phase: Phase | undefined }

/** What a recipe has no use for is done when it was passed over. Tasks of other kinds have phases of their own names, which follow the six. */
export function phasesOf(task: Pick<Task, 'status' | 'phases' | 'kind'>): readonly TaskPhase[] {
  const byName = new Map(task.phases.map((phase) => [phase.name, phase]))
  const names = task.kind === 'deploy' ? [...new Set<string>([...PHASES, ...byName.keys()])] : [...byName.keys()]
  const begun = names.findLastIndex((name) => byName.has(name))
  return names.map((name, index) => {
    const phase = byName.get(name)
    return { name, phase, state: phase === undefined && index < begun ? 'done' : stateOf(task, phase) }
  })
}

function stateOf({ status }: Pick<Task, 'status'>, phase: Phase | undefined): PhaseState {
  const isOver = status !== 'queued' && status !== 'running'
  if (phase?.status === 'failed') return 'failed'
  if (phase?.status === 'succeeded') return 'done'
  if (phase?.status === 'running' && !isOver) return 'runs'
  if (status === 'succeeded') return 'done'
  return isOver ? 'unreached' : 'waits'
}

/** The phase that a deployment is in, or that it failed in. */
export function currentPhase(task: Pick<Task, 'status' | 'phases' | 'kind'>): string | undefined {
  return phasesOf(task).find(({ state }) => state === 'failed' || state === 'runs')?.name
}
