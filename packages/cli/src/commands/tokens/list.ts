// `shipway tokens list`: your personal tokens, without the tokens themselves.
import { command } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { listTokens } from '../../target/find-token.ts'
import { plainText } from '../../terminal/sanitize.ts'
import { tableLines } from '../../terminal/table.ts'
import { ago, fromNow } from '../../terminal/times.ts'

export const tokensList = command({
  flags: {},
  examples: [['shipway tokens list', 'Names, scopes and when each was used']],
  run: async (ctx) => {
    const tokens = await listTokens(await ctx.client())
    report(ctx, tokens, () => {
      if (tokens.length === 0) return ['No tokens yet. Create one: shipway tokens create --help']
      const rows = tokens.map((token) => [
        plainText(token.name),
        token.scopes.join(', '),
        token.organization_id === null ? 'all' : String(token.organization_id),
        token.last_used_at === null ? 'never' : ago(token.last_used_at),
        fromNow(token.expires_at),
        String(token.id),
      ])
      const head = ['NAME', 'SCOPES', 'ORGANIZATION', 'USED', 'EXPIRES', 'ID']
      return tableLines({ head, rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
