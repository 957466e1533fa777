// Steps of a task with the keys that addresses use.
import type { Phase, Step, Task } from '@shipway/api'

export type KeyedStep = {
  /** `wait-for-api`; the second step of that name is `wait-for-api-2`. */
  readonly key: string
  readonly phase: Phase
  readonly step: Step
}

export function stepsOf({ phases }: Pick<Task, 'phases'>): readonly KeyedStep[] {
  const used = new Map<string, number>()
  return phases.flatMap((phase) =>
    phase.steps.map((step) => {
      const slug = slugOf(step.name)
      const times = (used.get(slug) ?? 0) + 1
      used.set(slug, times)
      return { key: times === 1 ? slug : `${slug}-${times}`, phase, step }
    }),
  )
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '') || 'step'

/** `14 done, 1 running`. */
export function describeTally(steps: readonly KeyedStep[]): string {
  const count = (status: Step['status']): number => steps.filter(({ step }) => step.status === status).length
  const parts = [
    [count('succeeded'), 'done'],
    [count('running'), 'running'],
    [count('failed'), 'failed'],
    [count('canceled'), 'canceled'],
    [count('skipped'), 'skipped'],
  ] as const
  return parts
    .filter(([number]) => number > 0)
    .map(([number, label]) => `${number} ${label}`)
    .join(', ')
}

/** The step to look at first: failed, canceled or running. */
export function decisiveStep(steps: readonly KeyedStep[]): KeyedStep | undefined {
  const last = (wanted: Step['status']) => steps.findLast(({ step }) => step.status === wanted)
  return steps.find(({ step }) => step.status === 'failed') ?? last('canceled') ?? last('running')
}
