// `shipway envs grants`: what an environment may do beyond the policy for compose files.
import type { Grant } from '@shipway/api'
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { nearest } from '../nearest.ts'
import { report, say } from '../report.ts'
import { targetWords } from '../target/command-words.ts'
import { findTarget } from '../target/find-environment.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'

export const envsGrants = command({
  words: [{ name: '[environment]', description: 'its name or id (default: the one that follows the branch)' }],
  flags: {
    ...TARGET_FLAGS,
    grant: { value: 'capability', isRepeatable: true, description: 'grant it; can be repeated' },
    revoke: { value: 'capability', isRepeatable: true, description: 'take it away; can be repeated' },
  },
  notes: 'Only owners of the organization can grant. Grants count from the next deployment on.',
  examples: [
    ['shipway envs grants staging -p bookshop', 'List what can be granted'],
    ['shipway envs grants staging -p bookshop --grant host_paths', 'Grant one'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const target = await findTarget(ctx, { project: flags.project, environment: word ?? flags.environment })
    const client = await ctx.client()
    const params = { id: target.environment.id }
    const before = await client.listGrants({ params })
    const isChange = flags.grant.length + flags.revoke.length > 0
    const capabilities = isChange ? chooseGrants(before, flags) : []
    const grants = isChange ? await client.changeGrants({ params, body: { capabilities } }) : before
    report(ctx, grants, () => tableLines({ head: HEAD, rows: grants.map(rowOf) }, ctx.out.size()?.columns))
    if (isChange) say(ctx, `Deploy it: shipway deploy ${targetWords(target)}`)
    return EXIT.done
  },
})

type GrantChanges = { readonly grant: readonly string[]; readonly revoke: readonly string[] }

function chooseGrants(grants: readonly Grant[], { grant, revoke }: GrantChanges): Grant['capability'][] {
  const known = grants.map(({ capability }) => capability)
  for (const name of [...grant, ...revoke]) {
    if (known.some((each) => each === name)) continue
    const near = nearest(name, known)
    throw UsageError(`No capability is called ${plainText(name)}${near ? `. Did you mean ${near}?` : ''}`)
  }
  return grants
    .filter(({ capability, granted }) => grant.includes(capability) || (granted && !revoke.includes(capability)))
    .map(({ capability }) => capability)
}

const HEAD = ['CAPABILITY', 'GRANTED', 'WHAT']

const rowOf = ({ capability, granted, granted_by: by, granted_at: at, description }: Grant): string[] => [
  capability,
  granted ? `${by ? plainText(by.name) : 'yes'}, ${ago(at)}` : '-',
  plainText(description),
]
