// `shipway projects waiting`: pull requests that wait for an environment.
import { command, PROJECT_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findProject } from '../target/find-project.ts'
import { PAGE_SIZE, readAllPages } from '../target/read-all-pages.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'

export const projectsWaiting = command({
  words: [{ name: '[project]', description: 'its name or id (default: the linked one)' }],
  flags: PROJECT_FLAGS,
  examples: [['shipway projects waiting bookshop', 'Which pull requests wait, and what for']],
  run: async (ctx, { words: [word], flags }) => {
    const { id } = await findProject(ctx, { project: word ?? flags.project })
    const client = await ctx.client()
    const waiting = await readAllPages((cursor) =>
      client.raw.listWaitingPullRequests({ params: { id }, query: { limit: PAGE_SIZE, cursor } }),
    )
    report(ctx, waiting, () => {
      if (waiting.length === 0) return ['No pull request waits']
      const rows = waiting.map((each) => [
        `#${each.number}`,
        plainText(each.title),
        plainText(each.branch),
        ago(each.waiting_since),
        plainText(each.detail ?? each.reason ?? 'its turn is next'),
      ])
      return tableLines({ head: ['NUMBER', 'TITLE', 'BRANCH', 'SINCE', 'WAITS FOR'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})
