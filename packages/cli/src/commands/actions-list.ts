// `shipway actions list`: lists the actions of an environment.
import type { Action } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findTarget } from '../target/find-environment.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'

export const actionsList = command({
  flags: TARGET_FLAGS,
  notes: 'Actions come from the .service.yml of the last successful deployment.',
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
      return [
        ...tableLines({ head: HEAD, rows: actions.map(rowOf) }, ctx.out.size()?.columns),
        ...disabled.flatMap(({ name, disabled_reason: reason }) => [
          '',
          `${plainText(name)}: ${plainText(reason ?? '')}`,
        ]),
      ]
    })
    return EXIT.done
  },
})

const HEAD = ['ACTION', 'SERVICE', 'ARTIFACTS', 'STATE']

const rowOf = ({ name, service, artifact_paths: paths, disabled_reason: reason }: Action): string[] => [
  plainText(name),
  plainText(service ?? 'main'),
  plainText(paths.join(' ')),
  reason === null ? 'ready' : 'disabled',
]
