// The phases of a deployment in order, whether reached or not. Release is shown only where a deployment has it.
import type { Phase, Task } from '@shipway/api'

export const PHASES = ['Prepare', 'Transfer', 'Build', 'Start', 'Release', 'Switch', 'Clean up'] as const
export type PhaseState = 'waits' | 'runs' | 'done' | 'failed' | 'unreached'
export type TaskPhase = { readonly name: string; readonly state: PhaseState; readonly phase: Phase | undefined }

/** Skipped phases count as done once a later one has started. Other task kinds have phases of their own. */
export function phasesOf(task: Pick<Task, 'status' | 'phases' | 'kind'>): readonly TaskPhase[] {
  const byName = new Map(task.phases.map((phase) => [phase.name, phase]))
  const usual = PHASES.filter((name) => name !== 'Release' || byName.has(name))
  const names = task.kind === 'deploy' ? [...new Set<string>([...usual, ...byName.keys()])] : [...byName.keys()]
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

/** Phase that is running or failed. */
export function currentPhase(task: Pick<Task, 'status' | 'phases' | 'kind'>): string | undefined {
  return phasesOf(task).find(({ state }) => state === 'failed' || state === 'runs')?.name
}
