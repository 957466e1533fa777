// Why a task failed: the API's diagnostics if they are about this task, else what the task says.
import type { Diagnostics, Task } from '@shipway/api'
import { useState } from 'react'
import { useLiveQuery } from '../../../data/live-query.ts'
import { useTaskLog } from '../../../data/log/task-log.ts'
import { diagnosticsQuery } from '../../../data/queries.ts'
import { decisiveStep, stepsOf } from '../steps/steps.ts'
import { type Excerpt, excerptOf } from './excerpt.ts'

export type FoundDiagnosis = {
  readonly diagnostics: Diagnostics | undefined
  readonly excerpt: Excerpt | undefined
  /** Offset from a line of the step to a line of the log; undefined until that output has arrived. */
  readonly linesBefore: number | undefined
  /** Line of the log with the error. */
  readonly errorLine: number | undefined
}

/** Only a failed task has a diagnosis. It is undefined until the API's answer has arrived, so that it is shown in one piece. */
type DiagnosisState = { readonly diagnosis: FoundDiagnosis | undefined; readonly isPending: boolean }

export function useDiagnosis(task: Task): DiagnosisState {
  const isFailed = task.status === 'failed'
  const { store } = useTaskLog(task.id, { isWatched: isFailed })
  const query = useLiveQuery(diagnosticsQuery(task.environment_id), { isEnabled: isFailed })
  const diagnostics = query.data?.task?.id === task.id ? query.data : undefined
  // What is known may be about an earlier failure, while the answer about this one is on its way.
  const isLate = diagnostics === undefined && query.isFetching && !query.isFetchedAfterMount
  const isHere = isFailed && !query.isPending && !isLate
  const [wasHere, setWasHere] = useState(isHere)
  if (isHere && !wasHere) setWasHere(true)
  if (!isHere && !wasHere) return { diagnosis: undefined, isPending: isFailed }
  const output = diagnostics?.output
  const excerpt = output ? excerptOf(output.text, output.first_line) : undefined
  const from = decisiveStep(stepsOf(task))?.step.output?.from
  const linesBefore = from !== undefined && from < store.bytes ? store.lineOf(from) : undefined
  const errorLine =
    excerpt?.errorLine === undefined || linesBefore === undefined ? undefined : linesBefore + excerpt.errorLine
  return { diagnosis: { diagnostics, excerpt, linesBefore, errorLine }, isPending: false }
}
