// Where the output is to be scrolled to: a line, or a step. It may not have come yet, or be folded away; it is gone to once it is there.
import type { Task } from '@shipway/api'
import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { TaskLog } from '../../../data/log/task-log.ts'
import { type PlacedStep, telling } from '../steps/steps.ts'
import type { MarkedLines } from './marked-lines.ts'
import type { RowsHandle, Scrolling } from './output-rows.tsx'
import { sectionOfLine } from './row-index.ts'
import type { Folds } from './use-folds.ts'

type Goal =
  | { readonly type: 'line'; readonly line: number }
  | { readonly type: 'step'; readonly key: string; readonly to: 'its beginning' | 'its end' }

type Given = {
  readonly task: Task
  readonly log: TaskLog
  readonly folds: Folds
  readonly list: RefObject<RowsHandle | null>
  readonly steps: readonly PlacedStep[]
  readonly chosen: string | undefined
  readonly marked: MarkedLines | undefined
  readonly pause: () => void
}

export function useGoal({ task, log, folds, list, steps, chosen, marked, pause }: Given) {
  const [goal, setGoal] = useState<Goal | undefined>(() => brokenStep(task, steps))
  const line = marked?.first
  // Whoever goes to the same address once more wants to see it once more.
  const visit = useLocation({ select: ({ state }) => state.__TSR_key })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only an address is a new goal
  useEffect(() => {
    if (line !== undefined) setGoal({ type: 'line', line: line - 1 })
    else if (chosen !== undefined) {
      folds.toggle({ key: chosen }, true)
      setGoal({ type: 'step', key: chosen, to: 'its beginning' })
    } else return
    pause()
  }, [chosen, line, visit])
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again whenever something came or was unfolded
  useLayoutEffect(() => {
    if (goal === undefined || !isThere(goal, log, steps)) return
    const row = goal.type === 'line' ? rowOfLine(goal.line, folds) : rowOfStep(goal, folds)
    if (row === undefined) return
    if (list.current?.scrollTo(row, howTo(goal, log))) setGoal(undefined)
  }, [goal, log.version, folds.rows])
  return {
    goToLine: (wanted: number): void => {
      pause()
      setGoal({ type: 'line', line: wanted })
    },
  }
}

/** A line that is higher than what one sees of the output begins at its top. */
const HIGH_CHARACTERS = 1_500

function howTo(goal: Goal, { store }: TaskLog): Scrolling {
  if (goal.type === 'step') return { align: goal.to === 'its end' ? 'end' : 'start', isAsked: false }
  return { align: store.lineAt(goal.line).length > HIGH_CHARACTERS ? 'start' : 'center', isAsked: true }
}

function brokenStep({ status }: Task, steps: readonly PlacedStep[]): Goal | undefined {
  const step = status === 'failed' || status === 'canceled' ? telling(steps) : undefined
  return step && { type: 'step', key: step.key, to: 'its end' }
}

function isThere(goal: Goal, { store }: TaskLog, steps: readonly PlacedStep[]): boolean {
  if (goal.type === 'line') return goal.line < store.count
  const output = steps.find(({ key }) => key === goal.key)?.step.output
  if (!output) return false
  return store.bytes >= (goal.to === 'its end' ? (output.to ?? output.from) : output.from)
}

/** Opens the step that the line is folded into; the next drawing has a row for it. */
function rowOfLine(line: number, { rows, sections, toggle }: Folds): number | undefined {
  const row = rows.rowOfLine(line)
  if (row !== undefined) return row
  const section = sectionOfLine(sections, line)
  if (section) {
    toggle(section, true)
    return undefined
  }
  // The line that names a step is shown as its fold.
  const next = sections.sections.find(({ first }) => first === line + 1)
  return next && rows.rowOfFold(next.key)
}

function rowOfStep({ key, to }: Extract<Goal, { type: 'step' }>, { rows, sections }: Folds): number | undefined {
  const fold = rows.rowOfFold(key)
  const section = sections.sections.find((one) => one.key === key)
  if (fold === undefined || section === undefined || to === 'its beginning') return fold
  return rows.rowOfLine(section.end - 1) ?? fold
}
