// `shipway vars list`: lists the keys of an environment. Values never leave the platform.
import type { Variables } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { findTarget } from '../target/find-environment.ts'
import { findProject, type ProjectFlags } from '../target/find-project.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'
import { SHARED_FLAG } from '../variables/change-variables.ts'
import { changedHint } from '../variables/changed-hint.ts'

export const varsList = command({
  flags: { ...TARGET_FLAGS, ...SHARED_FLAG },
  examples: [
    ['shipway vars list -p bookshop -e staging', 'Keys, where they come from, and who set them'],
    ["shipway vars list --json | jq -r '.variables[].key'", 'The keys alone'],
  ],
  run: async (ctx, { flags }) => {
    if (flags.shared) return listShared(ctx, flags)
    const target = await findTarget(ctx, flags)
    const variables = await (await ctx.client()).listVariables({ params: { id: target.environment.id } })
    report(ctx, variables, () => tableLines({ head: HEAD, rows: rowsOf(variables) }, ctx.out.size()?.columns))
    say(ctx, ...changedHint(variables, target))
    return EXIT.done
  },
})

async function listShared(ctx: Context, flags: ProjectFlags): Promise<ExitCode> {
  const { id } = await findProject(ctx, flags)
  const shared = await (await ctx.client()).listProjectVariables({ params: { id } })
  report(ctx, shared, () => {
    const rows = shared.variables.map(({ key, updated_at, updated_by }) => [
      plainText(key),
      ago(updated_at),
      plainText(updated_by.name),
    ])
    if (rows.length === 0) return ['The project has no variables of its own']
    return tableLines({ head: ['KEY', 'CHANGED', 'BY'], rows }, ctx.out.size()?.columns)
  })
  return EXIT.done
}

const HEAD = ['KEY', 'FROM', 'CHANGED', 'BY']

function rowsOf({ variables, system_keys }: Variables): string[][] {
  return [
    ...variables.map(({ key, source, updated_at, updated_by }) => [
      plainText(key),
      source,
      ago(updated_at),
      plainText(updated_by.name),
    ]),
    ...system_keys.map((key) => [key, 'platform', '', '']),
  ]
}
