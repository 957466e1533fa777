// `shipway import` against a real platform, with other platforms that answer as their documentation says, or as an attacker likes.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { beginJourney, type Journey } from '../journey.ts'
import { type InProcess, openInProcess } from './in-process.ts'

const SECRET = 'value-canary-8f2c'
const TOKEN = 'token-canary-71aa'

let journey: Journey
let program: InProcess
let other: { readonly address: string; readonly asked: string[]; answer: Answer; readonly server: Server }
type Answer = (request: IncomingMessage, response: ServerResponse) => void

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local', { settings: { SHIPWAY_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  program = openInProcess({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
  other = await startOther()
})
afterEach(() => other.asked.splice(0))
afterAll(async () => {
  program.stop()
  other.server.closeAllConnections()
  await new Promise((resolve) => other.server.close(resolve))
  await journey.stop()
})

async function startOther(): Promise<typeof other> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.url}`)
    started.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const started = { address: `http://127.0.0.1:${port}`, asked, server, answer: (() => undefined) as Answer }
  return started
}

/** Answers of an API by their paths; everything else is 404, and another token 401. */
function answerWith(
  answers: Readonly<Record<string, unknown>>,
  isSignedIn: (request: IncomingMessage) => boolean,
): void {
  other.answer = (request, response) => {
    const known = Object.hasOwn(answers, request.url ?? '')
    const status = isSignedIn(request) ? (known ? 200 : 404) : 401
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(status === 200 ? JSON.stringify(answers[request.url ?? '']) : '{"message":"no"}')
  }
}
const byBearer = ({ headers }: IncomingMessage): boolean => headers.authorization === `Bearer ${TOKEN}`

const importing = (words: readonly string[], input = `${TOKEN}\n`) =>
  program.run(['import', ...words, '--domain', 'apps.example.com'], { input })

const coolify = {
  '/api/v1/applications': [
    {
      id: 1,
      uuid: 'k8s4o',
      name: 'bookshop',
      fqdn: 'https://books.example.com,https://www.books.example.com',
      git_repository: 'tidewater/bookshop',
      git_branch: 'main',
      build_pack: 'nixpacks',
      base_directory: '/',
      environment_id: 4,
    },
    {
      id: 2,
      uuid: 'k8s5p',
      name: 'bookshop-staging',
      fqdn: null,
      git_repository: 'https://github.com/tidewater/bookshop.git',
      git_branch: 'develop',
      build_pack: 'dockerfile',
      environment_id: 5,
    },
    {
      id: 3,
      uuid: 'img1',
      name: 'nginx',
      fqdn: null,
      git_repository: null,
      git_branch: null,
      build_pack: 'dockerimage',
    },
  ],
  '/api/v1/projects': [{ uuid: 'p1', name: 'Shop' }],
  '/api/v1/projects/p1': {
    uuid: 'p1',
    name: 'Shop',
    environments: [
      { id: 4, name: 'production' },
      { id: 5, name: 'staging' },
    ],
  },
  '/api/v1/applications/k8s4o/envs': [
    { key: 'SMTP_PASSWORD', value: SECRET, is_preview: false },
    { key: 'EMPTY', value: '', is_preview: false },
    { key: 'SERVICE_FQDN_WEB', value: 'x', is_preview: false },
    { key: 'ONLY_PREVIEW', value: SECRET, is_preview: true },
    { key: 'HIDDEN', is_preview: false },
  ],
  '/api/v1/applications/k8s4o/scheduled-tasks': [
    { name: 'Nightly report', command: 'npm run report', frequency: '0 3 * * *', enabled: true },
    { name: 'Cleanup', command: 'npm run cleanup', frequency: 'daily', enabled: true },
  ],
  '/api/v1/databases': [{ uuid: 'db1', name: 'orders' }],
  '/api/v1/services': [],
}

/** Of Coolify. */
const app = (more: object) => ({ uuid: 'x1', name: 'x', git_repository: 'a/b', git_branch: 'main', ...more })

test('Coolify: the plan is shown first, then made; a second run changes nothing', async () => {
  answerWith(coolify, byBearer)
  const words = ['coolify', '--address', other.address]
  const plan = await importing(words)
  expect(plan).toMatchObject({ code: 0, err: expect.stringContaining('Nothing was imported') })
  for (const line of [
    /^Project bookshop {2}new$/m,
    /Repository +git@github\.com:tidewater\/bookshop\.git, by a deploy key/,
    /Domain +bookshop\.apps\.example\.com/,
    /Own domains +books\.example\.com, www\.books\.example\.com {2}new/,
    /Environment production {2}new/,
    /Environment staging {2}new/,
    /Branch +develop/,
    /Variables +SMTP_PASSWORD, EMPTY {2}new/,
    /nightly-report: \{ run: "npm run report", schedule: "0 3 \* \* \*", environments: \["production"\] \}/,
    /cleanup: \{ run: "npm run cleanup", schedule: "0 0 \* \* \*", environments: \["production"\] \}/,
    /Database orders: its data is not copied/,
    /nginx: It has no git repository/,
    /bookshop: Values of HIDDEN: .*read:sensitive/,
    /bookshop: The build with nixpacks/,
    /Variables that Shipway keeps for itself or cannot hold: SERVICE_FQDN_WEB/,
    /To do: 1 project, 2 environments, 2 domains, 2 variables\./,
  ])
    expect(plan.out).toMatch(line)
  const made = await importing([...words, '--yes'])
  expect(made).toMatchObject({ code: 0, err: expect.stringContaining('Set 2 variables of bookshop / production') })
  expect(made.out).toMatch(/Deploy key +ssh-ed25519 /)
  const again = await importing([...words, '--yes'])
  expect(again).toMatchObject({
    code: 0,
    out: expect.stringContaining('Everything that can be imported is here already'),
  })
  expect(again.out).toMatch(/Environment production {2}exists[\s\S]*Variables +SMTP_PASSWORD, EMPTY {2}exist/)
  expect(again.out).not.toContain('new')
  const listed = await program.json('vars', 'list', '-p', 'bookshop', '-e', 'production')
  expect(listed.variables.map(({ key }: { key: string }) => key).sort()).toEqual(['EMPTY', 'SMTP_PASSWORD'])
  const shown = await program.json('projects', 'show', 'bookshop')
  expect(shown).toMatchObject({ custom_domains: ['books.example.com', 'www.books.example.com'] })
  for (const { out, err } of [plan, made, again]) {
    expect(out + err).not.toContain(SECRET)
    expect(out + err).not.toContain(TOKEN)
  }
})

test('Coolify: after an application was deleted there, the others keep their environments here', async () => {
  const [shop] = coolify['/api/v1/applications']
  const apps = ['front', 'worker'].map((name) => ({
    ...shop,
    uuid: name,
    name,
    fqdn: null,
    git_repository: 'tidewater/pier',
  }))
  const env = (key: string) => [{ key, value: SECRET, is_preview: false }]
  const answers = {
    ...coolify,
    '/api/v1/applications': apps,
    '/api/v1/applications/front/envs': env('OF_FRONT'),
    '/api/v1/applications/worker/envs': env('OF_WORKER'),
  }
  const words = ['coolify', '--address', other.address, '--yes']
  const keysOf = async (name: string) =>
    (await program.json('vars', 'list', '-p', 'front', '-e', name)).variables.map(({ key }: { key: string }) => key)
  answerWith(answers, byBearer)
  expect(await importing(words)).toMatchObject({ code: 0 })
  expect([await keysOf('production'), await keysOf('worker')]).toEqual([['OF_FRONT'], ['OF_WORKER']])
  const [, worker] = apps
  const added = [...env('OF_WORKER'), ...env('ADDED')]
  answerWith({ ...answers, '/api/v1/applications': [worker], '/api/v1/applications/worker/envs': added }, byBearer)
  expect(await importing(words)).toMatchObject({ code: 0, err: expect.stringContaining('front / worker') })
  expect([await keysOf('production'), (await keysOf('worker')).sort()]).toEqual([['OF_FRONT'], ['ADDED', 'OF_WORKER']])
})

test('what is refused here keeps nothing else away, and keys that are shown once are shown', async () => {
  const apps = ['taken', 'free'].map((name) => app({ uuid: name, name, git_repository: `tidewater/${name}` }))
  const [taken, free] = apps
  // The first test has made this domain one of another project.
  const answers = [{ ...taken, fqdn: 'https://books.example.com' }, free]
  answerWith({ ...coolify, '/api/v1/applications': answers, '/api/v1/databases': [] }, byBearer)
  const words = ['coolify', '--address', other.address, '--yes']
  const { code, out, err } = await importing(words)
  expect(code).toBe(1)
  expect(out.match(/Deploy key +ssh-ed25519 /g)).toHaveLength(2)
  expect(err).toContain('Created free / production')
  expect(err).toContain('taken / production: domain: This domain is taken')
  expect(err).not.toContain('Imported.')
  answerWith({ ...coolify, '/api/v1/applications': apps, '/api/v1/databases': [] }, byBearer)
  expect(await importing(words)).toMatchObject({ code: 0, err: expect.stringContaining('Created taken / production') })
})

test('an import that loses the platform halfway shows the keys of what it has made', async () => {
  answerWith({ '/api/v1/applications': [app({ name: 'halfway', git_repository: 'tidewater/halfway' })] }, byBearer)
  const { url, filled } = journey.platform
  const proxy = createServer(async (request, response) => {
    if (request.method === 'POST' && request.url?.endsWith('/environments')) return request.socket.destroy()
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>
    const body = request.method === 'GET' ? null : Buffer.concat(await request.toArray())
    const answer = await fetch(`${url}${request.url}`, { method: request.method ?? 'GET', headers, body })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const there = openInProcess({ SHIPWAY_URL: `http://127.0.0.1:${port}`, SHIPWAY_TOKEN: filled.token })
  const words = ['coolify', '--address', other.address, '--domain', 'apps.example.com', '--yes']
  const { code, out, err } = await there.run(['import', ...words], { input: `${TOKEN}\n` })
  there.stop()
  proxy.closeAllConnections()
  await new Promise((resolve) => proxy.close(resolve))
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('Created the project halfway') })
  expect(out).toMatch(/Deploy key +ssh-ed25519 [\s\S]*Webhook secret +\S/)
  expect(await importing(words.slice(0, 3).concat('--yes'))).toMatchObject({
    code: 0,
    err: expect.stringContaining('Created halfway / production'),
  })
})

test('two applications of one domain: the first one gets it, and a second run changes nothing', async () => {
  const apps = [
    app({
      uuid: 'front',
      name: 'front-of-paths',
      git_repository: 'tidewater/paths',
      fqdn: 'https://paths.example.com',
    }),
    app({ uuid: 'back', name: 'back', git_repository: 'tidewater/paths', fqdn: 'https://paths.example.com/api' }),
  ]
  answerWith({ '/api/v1/applications': apps }, byBearer)
  const words = ['coolify', '--address', other.address, '--yes']
  const { code, err } = await importing(words)
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(err).toContain('back: Domain paths.example.com: front-of-paths has it')
  expect((await importing(words)).out).toContain('here already')
})

test('an environment that has almost all variables that it may have gets as many as it can', async () => {
  const [shop] = coolify['/api/v1/applications']
  const env = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `KEY_${index}`, value: 'x' }))
  const many = { ...shop, name: 'many', git_repository: 'tidewater/many', fqdn: null }
  const answers = { ...coolify, '/api/v1/applications': [many] }
  const words = ['coolify', '--address', other.address, '--yes']
  answerWith({ ...answers, '/api/v1/applications/k8s4o/envs': env(499) }, byBearer)
  expect(await importing(words)).toMatchObject({ code: 0 })
  answerWith({ ...answers, '/api/v1/applications/k8s4o/envs': env(501) }, byBearer)
  const { code, err } = await importing(words)
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('Set 1 variable of many') })
  expect(err).toContain('cannot hold: KEY_500')
})

test('saved answers in a folder are read like the API, and a plan as JSON has keys alone', async () => {
  const folder = join(program.home, 'saved')
  for (const [path, answer] of Object.entries(coolify)) {
    const file = join(folder, `${path.replace('/api/v1/', '')}.json`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(answer))
  }
  const { code, out } = await importing(['coolify', folder, '--json'], '')
  expect(code).toBe(0)
  expect(out).not.toContain(SECRET)
  expect(JSON.parse(out)).toMatchObject({
    platform: 'Coolify',
    applied: false,
    projects: [
      { name: 'bookshop', exists: true, environments: [{ name: 'production', exists: true }, { name: 'staging' }] },
    ],
    schedules: [
      { project: 'bookshop', environment: 'production', schedule: '0 3 * * *' },
      { project: 'bookshop', environment: 'production', schedule: '0 0 * * *' },
    ],
  })
  expect(other.asked).toEqual([])
  rmSync(folder, { recursive: true })
})

test('Dokploy: applications and compose files of every git host, with schedules and what is shared', async () => {
  answerWith(
    {
      '/api/project.all': [
        {
          projectId: 'p1',
          name: 'Harbor',
          env: 'SHARED=1',
          environments: [
            {
              environmentId: 'e1',
              name: 'production',
              env: '',
              applications: [{ applicationId: 'a1' }],
              compose: [{ composeId: 'c1' }],
              postgres: [{ postgresId: 'd1', name: 'main' }],
            },
          ],
        },
      ],
      '/api/application.one?applicationId=a1': {
        name: 'harbor-web',
        env: `API_KEY=${SECRET}\nREF=\${{project.SHARED}}\n`,
        sourceType: 'gitlab',
        gitlabPathNamespace: 'tidewater/harbor',
        gitlabBranch: 'trunk',
        buildType: 'dockerfile',
        domains: [{ host: 'harbor.example.com', path: '/' }],
      },
      '/api/compose.one?composeId=c1': {
        name: 'ledger',
        env: null,
        sourceType: 'git',
        customGitUrl: 'git@git.example.com:tidewater/ledger.git',
        customGitBranch: 'main',
        domains: [],
        mounts: [{}],
      },
      '/api/schedule.list?id=a1&scheduleType=application': [
        { name: 'Sync', cronExpression: '*/5 * * * *', command: './sync.sh', enabled: true },
        { name: 'Off', cronExpression: '* * * * *', command: 'x', enabled: false },
      ],
    },
    ({ headers }) => headers['x-api-key'] === TOKEN,
  )
  const made = await importing(['dokploy', '--address', other.address, '--yes', '--json'])
  expect(made).toMatchObject({ code: 0 })
  const result = JSON.parse(made.out)
  expect(result).toMatchObject({
    applied: true,
    projects: [
      {
        name: 'harbor-web',
        repository: 'git@gitlab.com:tidewater/harbor.git',
        environments: [{ branch: 'trunk', variables: ['API_KEY'] }],
      },
      { name: 'ledger', repository: 'git@git.example.com:tidewater/ledger.git' },
    ],
    schedules: [{ name: 'Sync' }],
    created: [{ name: 'harbor-web', webhook: { secret: expect.any(String) } }, { name: 'ledger' }],
  })
  expect(JSON.stringify(result.not_imported)).toMatch(/REF.*Set their values/)
  expect(JSON.stringify(result.not_imported)).toMatch(/Database main \(postgres\)/)
  expect(made.out + made.err).not.toContain(SECRET)
  const again = await importing(['dokploy', '--address', other.address, '--yes', '--json'])
  expect(JSON.parse(again.out)).toMatchObject({ applied: false, created: [] })
})

test('Heroku: pages of a list, variables without those of add-ons, and repositories that the user names', async () => {
  const id = '01234567-89ab-cdef-0123-456789abcdef'
  other.answer = (request, response) => {
    const pages: Readonly<Record<string, unknown>> = {
      '/apps/a/config-vars': { RAILS_ENV: 'production', SECRET_KEY_BASE: SECRET, DATABASE_URL: SECRET },
      '/apps/a/domains': [
        { hostname: 'tide.herokuapp.com', kind: 'heroku' },
        { hostname: 'tide.example.com', kind: 'custom' },
      ],
      '/apps/a/addons': [{ name: 'pg-1', addon_service: { name: 'heroku-postgresql' }, config_vars: ['DATABASE_URL'] }],
      '/apps/a/formation': [{ type: 'worker', command: 'bundle exec sidekiq', quantity: 1 }],
    }
    if (request.headers.accept !== 'application/vnd.heroku+json; version=3' || !byBearer(request)) {
      response.writeHead(401).end('{}')
    } else if (request.url === '/apps') {
      const isSecond = request.headers.range !== undefined
      response.writeHead(isSecond ? 200 : 206, isSecond ? {} : { 'next-range': 'id ]0..; max=200' })
      response.end(JSON.stringify([{ id: isSecond ? id : 'a', name: isSecond ? 'unnamed' : 'tide' }]))
    } else response.writeHead(pages[request.url ?? ''] ? 200 : 404).end(JSON.stringify(pages[request.url ?? ''] ?? {}))
  }
  const words = ['heroku', '--address', other.address, '--repo', 'tide=https://github.com/tidewater/tide']
  const made = await importing([...words, '--yes'])
  expect(made).toMatchObject({ code: 0 })
  expect(made.err).toMatch(/Variables +RAILS_ENV, SECRET_KEY_BASE {2}new/)
  expect(made.err).toMatch(/tide: Add-on pg-1 \(heroku-postgresql\): its data is not copied/)
  expect(made.err).toMatch(/tide: Variables of add-ons, which lead to Heroku: DATABASE_URL/)
  expect(made.err).toMatch(/tide: Process worker \(bundle exec sidekiq\): make it a service/)
  expect(made.err).toMatch(/unnamed: It has no git repository that the platform tells/)
  expect(made.out + made.err).not.toContain(SECRET)
  expect((await importing([...words, '--yes'])).out).toContain('here already')
})

test('a compose file: domains of labels, variables of .env, the repository that is named', async () => {
  const folder = join(program.home, 'guestbook')
  mkdirSync(folder)
  const labels = ['traefik.http.routers.web.rule=Host(`guests.example.com`)']
  writeFileSync(
    join(folder, 'compose.yml'),
    JSON.stringify({ services: { web: { image: 'nginx', labels } }, volumes: { data: {} } }),
  )
  writeFileSync(join(folder, '.env'), `GUEST_KEY=${SECRET}\n`)
  const without = await importing(['compose', folder])
  expect(without.out).toMatch(/guestbook: It has no git repository that the platform tells/)
  const words = ['compose', folder, '--repo', 'guestbook=git@github.com:tidewater/guestbook.git', '--yes']
  const made = await importing(words)
  expect(made).toMatchObject({ code: 0, err: expect.stringMatching(/Domain +guests\.example\.com/) })
  expect(made.err).toMatch(/Data in the volumes data/)
  expect(made.out + made.err).not.toContain(SECRET)
  expect((await importing(words)).out).toContain('here already')
  rmSync(folder, { recursive: true })
})

test('a compose file with odd values is read, and files that are links are not', async () => {
  const folder = join(program.home, 'linked')
  mkdirSync(folder)
  const odd = { toString: 1, valueOf: 1 }
  const web = { image: 'nginx', labels: [odd, 1], environment: { VIRTUAL_HOST: odd } }
  writeFileSync(join(folder, 'compose.yml'), JSON.stringify({ services: { web } }))
  writeFileSync(join(program.home, 'secrets'), `HOST_KEY=${SECRET}\n`)
  symlinkSync('../secrets', join(folder, '.env'))
  const words = ['compose', folder, '--repo', 'linked=git@github.com:tidewater/linked.git']
  const plan = await importing(words)
  expect(plan).toMatchObject({ code: 0, out: expect.stringMatching(/linked: \.env, which is no plain file/) })
  expect(plan.out).not.toContain('HOST_KEY')
  rmSync(join(folder, 'compose.yml'))
  symlinkSync('../secrets', join(folder, 'compose.yml'))
  expect((await importing(words)).err).toMatch(/compose\.yml is too large, or no plain file/)
  rmSync(folder, { recursive: true })
})

test.each<[string, Answer, RegExp]>([
  ['no JSON', (_, response) => response.end('<html>'), /was not understood/],
  ['another shape', (_, response) => response.end('{"data":[]}'), /was not understood/],
  [
    'a path for an id',
    (_, response) => response.end(JSON.stringify([app({ uuid: '../../etc' })])),
    /was not understood/,
  ],
  ['too many values', (_, response) => response.end(`[${'0,'.repeat(200_000)}0]`), /larger than any/],
  ['too deep', (_, response) => response.end('['.repeat(100_000)), /larger than any/],
  ['an endless body', (_, response) => endless(response), /more than is read/],
  ['a redirect', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(), /did not answer/],
  ['a failure', (_, response) => response.writeHead(500).end(), /status 500/],
  ['a closed connection', (request) => request.socket.destroy(), /did not answer/],
  [
    'pages without an end',
    (_, response) => response.writeHead(206, { 'next-range': 'id ]0..' }).end('[1,2,3]'),
    /more than is read/,
  ],
  [
    'pages of long texts',
    ({ headers: { range = '1' } }, response) =>
      response
        .writeHead(Number(range) < 12 ? 206 : 200, { 'next-range': `${Number(range) + 1}` })
        .end(`["${'x'.repeat(12 * 1024 * 1024)}"]`),
    /more than is read/,
  ],
  [
    'half an answer',
    (_, response) => response.writeHead(200, { 'content-length': '9' }).write('[', () => response.destroy()),
    /did not answer/,
  ],
  ['a refused token', (_, response) => response.writeHead(401).end(), /refused the token/],
])('a platform that answers with %s ends the import with a sentence', async (_what, answer, sentence) => {
  other.answer = answer
  const ended = await importing(['coolify', '--address', other.address, '--yes'])
  expect(ended.code).not.toBe(0)
  expect(ended.err).toMatch(sentence)
  expect(ended.out + ended.err).not.toContain(TOKEN)
})

function endless(response: ServerResponse): void {
  const piece = '"'.padEnd(64 * 1024, 'x')
  const write = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', write)
  }
  write()
}

test('names that would act on a terminal are printed as plain text, and a password in an address is not printed', async () => {
  const bell = '\u001b]0;owned\u0007\u001b[2J'
  answerWith(
    {
      '/api/v1/applications': [
        app({ name: `shop${bell}`, fqdn: 'https://evil.example.com/\u001b[31m', git_branch: `main${bell}` }),
        app({ uuid: 'x2', name: 'other', git_repository: `https://ada:${SECRET}@github.com/a/c.git` }),
      ],
      '/api/v1/applications/x1/envs': [{ key: `KEY${bell}`, value: SECRET }],
    },
    byBearer,
  )
  const { out, err } = await importing(['coolify', '--address', other.address])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/)
  expect(out + err).not.toContain(SECRET)
  expect(out).toMatch(/other: The address of its repository is none/)
})

test('a name and a branch that nothing here can have are replaced, so that the import does not stop halfway', async () => {
  const [first] = coolify['/api/v1/applications']
  const named = { name: `${'n'.repeat(59)}\u{1f4da}\nof 2026`, git_repository: 'tidewater/odd', fqdn: null }
  answerWith({ '/api/v1/applications': [{ ...first, ...named, git_branch: '' }] }, byBearer)
  const words = ['coolify', '--address', other.address, '--yes', '--json']
  const { code, out, err } = await importing(words)
  expect({ code, err }).toMatchObject({ code: 0 })
  const [made] = JSON.parse(out).created
  expect(made.name).toBe(`${'n'.repeat(59)}\u{1f4da}`)
  const [environment] = await journey.client.listEnvironments({ params: { id: made.id } })
  expect(environment?.branch).toBe('main')
})

test('what is missing or unsafe says what to give', async () => {
  for (const [words, sentence] of [
    [['coolify'], /Where is Coolify\? Give --address/],
    [['coolify', '--address', 'http://coolify.example.com'], /Give an https address/],
    [['coolify', '--address', `https://ada:${SECRET}@x.example.com`], /This is no address/],
    [['heroku', '--repo', 'shop'], /NAME=ADDRESS|status|refused/],
    [['compose', '/nonexistent'], /is not a folder/],
  ] as const) {
    const ended = await importing(words, words[0] === 'heroku' ? '' : undefined)
    expect(ended.code).not.toBe(0)
    expect(ended.err).not.toContain(SECRET)
    if (words[0] !== 'heroku') expect(ended.err).toMatch(sentence)
  }
  expect((await importing(['coolify', '--address', other.address], '')).err).toMatch(/Give the API token/)
})
