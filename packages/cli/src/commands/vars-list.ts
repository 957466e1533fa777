// `shipway vars list`: lists the keys of an environment. Values never leave the platform.
import type { Variables } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { findTarget } from '../target/find-environment.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'
import { changedHint } from '../variables/changed-hint.ts'

export const varsList = command({
  flags: TARGET_FLAGS,
  examples: [
    ['shipway vars list -p bookshop -e staging', 'Keys, where they come from, and who set them'],
    ["shipway vars list --json | jq -r '.variables[].key'", 'The keys alone'],
  ],
  run: async (ctx, { flags }) => {
    const target = await findTarget(ctx, flags)
    const variables = await (await ctx.client()).listVariables({ params: { id: target.environment.id } })
    report(ctx, variables, () => tableLines({ head: HEAD, rows: rowsOf(variables) }, ctx.out.size()?.columns))
    say(ctx, ...changedHint(variables, target))
    return EXIT.done
  },
})

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
