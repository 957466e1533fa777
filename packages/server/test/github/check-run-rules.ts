// What GitHub refuses in a check run, as its documentation says.
import { Refusal } from './answer.ts'

type Body = Record<string, unknown>
type CheckRunOutput = { readonly title?: unknown; readonly summary?: unknown; readonly annotations?: readonly Body[] }

export function refuseCheckRun(body: Body, { isNew }: { readonly isNew: boolean }): void {
  const faults = [
    isNew && typeof body.name !== 'string' && 'name is missing',
    isNew && !/^[0-9a-f]{40}$/.test(String(body.head_sha)) && 'head_sha is no commit',
    ...stateFaults(body),
    ...outputFaults((body.output ?? {}) as CheckRunOutput),
    ...actionFaults((body.actions ?? []) as readonly Body[]),
  ].filter((fault) => fault !== false)
  if (faults.length > 0) throw new Refusal(422, faults.join(', '))
}

const CONCLUSIONS = ['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out']

const stateFaults = ({ status, conclusion }: Body) => [
  !['queued', 'in_progress', 'completed', undefined].includes(status as string) && 'status is unknown',
  status === 'completed' && !CONCLUSIONS.includes(String(conclusion)) && 'conclusion is missing or unknown',
]

const outputFaults = ({ title, summary, annotations = [] }: CheckRunOutput) => [
  typeof title === 'string' && title.length > 255 && 'title is too long',
  typeof summary === 'string' && summary.length > 65_535 && 'summary is too long',
  annotations.length > 50 && 'too many annotations',
  annotations.some(({ path, start_line, annotation_level, message }) => {
    const isComplete = Number(start_line) > 0 && typeof message === 'string' && message !== ''
    return (
      typeof path !== 'string' || !isComplete || !['notice', 'warning', 'failure'].includes(String(annotation_level))
    )
  }) && 'an annotation is incomplete',
]

const actionFaults = (actions: readonly Body[]) => [
  actions.length > 3 && 'too many actions',
  actions.some(({ label }) => typeof label !== 'string' || label.length > 20) && 'label is missing or too long',
  actions.some(({ description }) => typeof description !== 'string' || description.length > 40) &&
    'description is missing or too long',
  actions.some(({ identifier }) => typeof identifier !== 'string' || identifier.length > 20) &&
    'identifier is missing or too long',
]
