// `shipway connections show`: one connection, and the repositories that it can use.
import type { ConnectedRepository, GitConnection } from '@shipway/api'
import { command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findConnection } from '../target/find-connection.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'

export const connectionsShow = command({
  words: [{ name: 'connection', description: 'its name or id' }],
  flags: {
    check: { description: 'try its credentials first' },
    repositories: { description: 'list the repositories that it can use' },
    search: { value: 'text', description: 'only repositories with this text in their names' },
  },
  examples: [
    ['shipway connections show GitLab --check', 'Whether it works'],
    ['shipway connections show GitLab --search shop', 'Repositories called shop'],
  ],
  run: async (ctx, { words: [wanted = ''], flags }) => {
    const client = await ctx.client()
    const found = await findConnection(ctx, client, wanted)
    const params = { id: found.id }
    const connection = flags.check ? await client.checkConnection({ params }) : found
    const isListed = flags.repositories || flags.search !== undefined
    const query = flags.search === undefined ? {} : { search: flags.search }
    const repositories = isListed ? await client.listConnectionRepositories({ params, query }) : undefined
    report(ctx, { ...connection, ...(repositories && { repositories }) }, () => [
      ...linesOf(connection),
      ...(repositories ? ['', ...repositoryLines(repositories, ctx.out.size()?.columns)] : []),
    ])
    return connection.status_reason === null ? EXIT.done : EXIT.error
  },
})

function linesOf(connection: GitConnection): string[] {
  const { account, checked_at, status_reason, project_count: count } = connection
  return [
    `${plainText(connection.name)} · ${connection.type} · ${connection.status}`,
    `${plainText(connection.base_url)}${account === null ? '' : ` as ${plainText(account)}`}`,
    `${count} ${count === 1 ? 'project' : 'projects'}${checked_at === null ? '' : ` · checked ${ago(checked_at)}`}`,
    ...(status_reason === null ? [] : [plainText(status_reason)]),
  ]
}

function repositoryLines(repositories: readonly ConnectedRepository[], columns: number | undefined): string[] {
  if (repositories.length === 0) return ['No repositories. The token may not administer any that match']
  const rows = repositories.map((repository) => [
    plainText(repository.full_name),
    plainText(repository.default_branch ?? '-'),
    repository.private ? 'private' : 'public',
  ])
  return tableLines({ head: ['REPOSITORY', 'BRANCH', 'ACCESS'], rows }, columns)
}
