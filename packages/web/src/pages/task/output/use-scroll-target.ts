// Scrolls to the line or step of the address, once it has arrived and is unfolded.
import type { Task } from '@shipway/api'
import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { RowsHandle, Scrolling } from '../../../components/output/output-rows.tsx'
import type { TaskLog } from '../../../data/log/task-log.ts'
import { decisiveStep, type KeyedStep } from '../steps/steps.ts'
import type { MarkedLines } from './marked-lines.ts'
import { sectionOfLine } from './sections.ts'
import type { Folds } from './use-folds.ts'

type ScrollTarget =
  | { readonly type: 'line'; readonly line: number }
  | { readonly type: 'step'; readonly key: string; readonly to: 'its beginning' | 'its end' }

type ScrollTargetOptions = {
  readonly task: Task
  readonly log: TaskLog
  readonly folds: Folds
  readonly list: RefObject<RowsHandle | null>
  readonly steps: readonly KeyedStep[]
  readonly chosen: string | undefined
  readonly marked: MarkedLines | undefined
  readonly pause: () => void
}

export function useScrollTarget({ task, log, folds, list, steps, chosen, marked, pause }: ScrollTargetOptions) {
  const [target, setTarget] = useState<ScrollTarget | undefined>(() => brokenStep(task, steps))
  const line = marked?.first
  // Navigating to the same address again scrolls again.
  const visit = useLocation({ select: ({ state }) => state.__TSR_key })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new address is a new target
  useEffect(() => {
    if (line !== undefined) setTarget({ type: 'line', line: line - 1 })
    else if (chosen !== undefined) {
      folds.toggle({ key: chosen }, true)
      setTarget({ type: 'step', key: chosen, to: 'its beginning' })
    } else return
    pause()
  }, [chosen, line, visit])
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again with new output and unfolded steps
  useLayoutEffect(() => {
    if (target === undefined || !isThere(target, log, steps)) return
    const row = target.type === 'line' ? rowOfLine(target.line, folds) : rowOfStep(target, folds)
    if (row === undefined) return
    if (list.current?.scrollTo(row, howTo(target, log))) setTarget(undefined)
  }, [target, log.version, folds.rows])
  return {
    goToLine: (wanted: number): void => {
      pause()
      setTarget({ type: 'line', line: wanted })
    },
  }
}

/** Longer lines wrap beyond the viewport and are aligned with its top. */
const HIGH_CHARACTERS = 1_500

function howTo(target: ScrollTarget, { store }: TaskLog): Scrolling {
  if (target.type === 'step') return { align: target.to === 'its end' ? 'end' : 'start', isRequested: false }
  return { align: store.lineAt(target.line).length > HIGH_CHARACTERS ? 'start' : 'center', isRequested: true }
}

function brokenStep({ status }: Task, steps: readonly KeyedStep[]): ScrollTarget | undefined {
  const step = status === 'failed' || status === 'canceled' ? decisiveStep(steps) : undefined
  return step && { type: 'step', key: step.key, to: 'its end' }
}

function isThere(target: ScrollTarget, { store }: TaskLog, steps: readonly KeyedStep[]): boolean {
  if (target.type === 'line') return target.line < store.count
  const output = steps.find(({ key }) => key === target.key)?.step.output
  if (!output) return false
  return store.bytes >= (target.to === 'its end' ? (output.to ?? output.from) : output.from)
}

/** Unfolds the step of the line; the next render has a row for it. */
function rowOfLine(line: number, { rows, sections, toggle }: Folds): number | undefined {
  const row = rows.rowOfLine(line)
  if (row !== undefined) return row
  const section = sectionOfLine(sections, line)
  if (section) {
    toggle(section, true)
    return undefined
  }
  // A step's heading line is displayed as its fold.
  const next = sections.sections.find(({ first }) => first === line + 1)
  return next && rows.rowOfFold(next.key)
}

function rowOfStep(
  { key, to }: Extract<ScrollTarget, { type: 'step' }>,
  { rows, sections }: Folds,
): number | undefined {
  const fold = rows.rowOfFold(key)
  const section = sections.sections.find((one) => one.key === key)
  if (fold === undefined || section === undefined || to === 'its beginning') return fold
  return rows.rowOfLine(section.end - 1) ?? fold
}
