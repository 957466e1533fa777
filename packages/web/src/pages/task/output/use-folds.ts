// Which steps are unfolded. Running, failed and canceled steps unfold by themselves, unless the user folded them. The last step that ran
// stays unfolded until another one runs: at the end of a task, and between two steps, the text being read does not disappear.
import { useState } from 'react'
import { RowIndex } from '../../../components/output/row-index.ts'
import type { LineStore } from '../../../data/log/line-store.ts'
import type { KeyedStep } from '../steps/steps.ts'
import { type Section, type StepSections, sectionsOf } from './sections.ts'

export type Folds = {
  readonly sections: StepSections
  readonly rows: RowIndex<Section>
  readonly toggle: (section: Pick<Section, 'key'>, isOpen: boolean) => void
  /** Keeps open steps open when they end, so that the text being read does not disappear. */
  readonly keepOpen: () => void
  readonly release: () => void
}

export function useFolds({ steps, store }: { readonly steps: readonly KeyedStep[]; readonly store: LineStore }): Folds {
  const [byHand, setByHand] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const sections = sectionsOf(steps, store)
  const running = runningSteps(steps)
  const [lastRunning, setLastRunning] = useState(running)
  if (running.length > 0 && running.join() !== lastRunning.join()) setLastRunning(running)
  const isOpen = ({ key, keyed }: Section): boolean =>
    byHand.get(key) ?? (kept.has(key) || lastRunning.includes(key) || opensItself(keyed))
  return {
    sections,
    rows: new RowIndex(sections, store.dropped, isOpen),
    toggle: ({ key }, open) => setByHand((before) => new Map(before).set(key, open)),
    keepOpen: () => setKept(new Set(sections.sections.filter(isOpen).map(({ key }) => key))),
    release: () => setKept(new Set()),
  }
}

const runningSteps = (steps: readonly KeyedStep[]): readonly string[] =>
  steps.filter(({ step }) => step.status === 'running').map(({ key }) => key)

const opensItself = ({ step: { status } }: KeyedStep): boolean =>
  status === 'running' || status === 'failed' || status === 'canceled'
