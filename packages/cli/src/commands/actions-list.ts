// `shipway actions list`: lists the actions of an environment.
import type { Action } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findTarget } from '../target/find-environment.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago, fromNow } from '../terminal/times.ts'

export const actionsList = command({
  flags: TARGET_FLAGS,
  notes:
    'Actions come from the .service.yml of the last successful deployment.\n' +
    'NEXT RUN says when the schedule of an action is due; "off here" where the schedule does not run in this environment.',
  examples: [
    ['shipway actions list -e staging', 'List them'],
    ['shipway actions list -e staging --json', 'For a script'],
  ],
  run: async (ctx, { flags }) => {
    const { environment } = await findTarget(ctx, flags)
    const actions = await (await ctx.client()).listActions({ params: { id: environment.id } })
    report(ctx, actions, () => {
      if (actions.length === 0) return ['No actions. Add them under actions in .service.yml, and deploy.']
      const disabled = actions.filter(({ disabled_reason: reason }) => reason !== null)
      const withoutRun = actions.flatMap(({ name, schedule_history: history }) =>
        history
          .filter(({ outcome }) => outcome !== 'started')
          .slice(0, MOST_SHOWN)
          .map((moment) => lineOf(name, moment)),
      )
      const hasSchedule = actions.some(({ schedule }) => schedule !== null)
      const table = hasSchedule
        ? { head: [...HEAD, 'SCHEDULE', 'NEXT RUN', 'LAST RUN'], rows: actions.map(scheduledRowOf) }
        : { head: HEAD, rows: actions.map(rowOf) }
      return [
        ...tableLines(table, ctx.out.size()?.columns),
        ...(withoutRun.length === 0 ? [] : ['', 'No run at these moments:', ...withoutRun]),
        ...disabled.flatMap(({ name, disabled_reason: reason }) => [
          '',
          `${plainText(name)}: ${plainText(reason ?? '')}`,
        ]),
      ]
    })
    return EXIT.done
  },
})

/** Of each action; `--json` has the last ten. */
const MOST_SHOWN = 3

const lineOf = (name: string, { due_at, outcome, reason }: Action['schedule_history'][number]): string =>
  `  ${plainText(name)}  ${due_at}  ${outcome}${reason === null ? '' : `: ${plainText(reason)}`}`

const HEAD = ['ACTION', 'SERVICE', 'ARTIFACTS', 'STATE']

const rowOf = ({ name, service, artifact_paths: paths, disabled_reason: reason }: Action): string[] => [
  plainText(name),
  plainText(service ?? 'main'),
  plainText(paths.join(' ')),
  reason === null ? 'ready' : 'disabled',
]

const scheduledRowOf = (action: Action): string[] => [
  ...rowOf(action),
  action.schedule === null ? '' : plainText(`${action.schedule} ${action.timezone ?? ''}`),
  action.next_run_at === null ? (action.schedule === null ? '' : 'off here') : fromNow(action.next_run_at),
  action.last_run === null ? '' : `${action.last_run.status} ${ago(action.last_run.at)}`,
]
