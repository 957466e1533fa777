// What all imports share: the plan, the question, and the result.
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { type Ending, EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { listConnections } from '../target/find-connection.ts'
import { findOwnOrganization } from '../target/find-own-organization.ts'
import { listProjects } from '../target/find-project.ts'
import { chooseServer, listServers } from '../target/find-server.ts'
import { canAsk } from '../terminal/ask.ts'
import { confirm } from '../terminal/confirm.ts'
import { plainText } from '../terminal/sanitize.ts'
import { type Applied, applyPlan, type MadeProject } from './apply-plan.ts'
import type { OtherPlatform } from './other-platform.ts'
import { type Here, isEmpty, makePlan } from './plan.ts'
import { leftLines, planLines, presentPlan } from './print-plan.ts'

/** Of every import. */
export const IMPORT_FLAGS = {
  yes: { short: 'y', description: 'do it without asking; without it and without a terminal, the plan is only shown' },
  server: {
    value: 'server',
    isRepeatable: true,
    description: 'name or id of a server for new projects; can be repeated (default: the only one)',
  },
  domain: {
    value: 'domain',
    description: 'domain below which new projects get theirs (default: beside other projects)',
  },
  repo: {
    value: 'name=address',
    isRepeatable: true,
    description: 'repository of an application, in place of what the other platform tells; can be repeated',
  },
} as const

/** Of imports that call an API. */
export const API_FLAGS = {
  address: {
    value: 'address',
    description: 'address of the other platform; its token is typed, or SHIPWAY_IMPORT_TOKEN',
  },
} as const

type ImportFlags = {
  readonly yes: boolean
  readonly server: readonly string[]
  readonly domain: string | undefined
  readonly repo: readonly string[]
}

export async function runImport(ctx: Context, flags: ImportFlags, platform: OtherPlatform): Promise<Ending> {
  const client = await ctx.client()
  const organizationId = await findOwnOrganization(ctx, client)
  const servers = (await listServers(client)).filter(({ organization_id: id }) => id === organizationId)
  const here: Here = {
    client,
    organizationId,
    servers,
    projects: (await listProjects(client)).filter(({ organization_id: id }) => id === organizationId),
    connections: await listConnections(ctx, client),
  }
  const plan = await makePlan(here, platform, { base: flags.domain, repositories: readRepositories(flags.repo) })
  const applied: Applied = { made: [], refused: [] }
  const printResult = (isApplied: boolean, lines = () => planLines(plan)): void => {
    const result = presentPlan({ ...plan, leftBehind: [...plan.leftBehind, ...applied.refused] })
    report(ctx, { ...result, applied: isApplied, created: applied.made.map(presentMade) }, lines)
  }
  if (isEmpty(plan)) {
    printResult(false)
    return EXIT.done
  }
  const serverIds = chooseServers(flags.server, servers)
  if (!flags.yes && (ctx.flags.json || !canAsk(ctx))) {
    printResult(false)
    say(ctx, 'Nothing was imported. To do it, add --yes.')
    return EXIT.done
  }
  say(ctx, ...planLines(plan))
  await confirm(ctx, flags, {
    consequence: 'Projects and environments would be created',
    question: 'Import this?',
    refusal: 'Nothing was imported',
  })
  let isThrough = false
  try {
    await applyPlan(ctx, client, plan, { where: { organizationId, serverIds }, applied })
    isThrough = true
  } finally {
    // Secrets of webhooks are shown this once, so an import that ends halfway shows them, too.
    if (isThrough || applied.made.length > 0)
      printResult(isThrough && applied.refused.length === 0, () => applied.made.flatMap(madeLines))
  }
  if (applied.refused.length > 0) {
    say(ctx, ...leftLines(applied.refused), 'The rest is imported. Mend what was refused, and import again.')
    return EXIT.error
  }
  say(ctx, 'Imported. Nothing is deployed yet: shipway deploy. Change DNS when an environment answers.')
  return EXIT.done
}

function chooseServers(wanted: readonly string[], servers: Here['servers']): readonly number[] {
  const [only, ...others] = servers
  if (wanted.length > 0) return wanted.map((each) => chooseServer(each, servers).id)
  if (only && others.length === 0) return [only.id]
  throw UsageError(only ? 'Which server? Give --server' : 'There is no server yet. Add one: shipway servers add')
}

function readRepositories(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word) => {
      const at = word.indexOf('=')
      if (at < 1) throw UsageError('Give a repository as NAME=ADDRESS, such as shop=git@github.com:books/shop.git')
      return [word.slice(0, at), word.slice(at + 1)] as const
    }),
  )
}

const presentMade = ({ id, name, toAdd }: MadeProject) => ({
  id,
  name,
  ...(toAdd && { repository_key: toAdd.key, webhook: { url: toAdd.url, secret: toAdd.secret } }),
})

function madeLines({ name, toAdd }: MadeProject): readonly string[] {
  if (!toAdd) return []
  return [
    `Add to the git host of ${plainText(name)}:`,
    `  Deploy key      ${plainText(toAdd.key)}`,
    `  Webhook         ${plainText(toAdd.url)}`,
    `  Webhook secret  ${plainText(toAdd.secret)}`,
    '',
  ]
}
