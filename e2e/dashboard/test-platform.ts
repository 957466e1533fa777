// A platform for browser tests, filled through the API. Its deployments are real ones of the manual recipe on this machine.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@shipway/api'
import { type GitHost, startGitHost } from '../../packages/server/test/git-host.ts'
import { freePort } from '../../tools/free-port.ts'
import { startOurs, stopProcess } from '../../tools/platform.ts'
import { takePortBlock } from '../../tools/port-block.ts'
import { ended } from '../journey.ts'
import { openHook, outcomeOf, pullRequestWas } from '../webhooks/deliveries.ts'
import { type Lifeline, openLifeline } from './lifeline.ts'
import { filesOf, type Outcome } from './repository.ts'

export const PASSWORD = 'a quiet harbor at dawn'

export type Person = { readonly name: string; readonly email: string; readonly cookie: string; readonly client: Client }

export type TestPlatform = {
  readonly url: string
  readonly setUpToken: string
  readonly gitHost: GitHost
  readonly folder: string
  /** What keeps the services of its environments alive. */
  readonly lifeline: Lifeline
  /** Everything that it has printed. */
  readonly printed: readonly string[]
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** After it was killed, on the same records. */
  restart(): Promise<void>
  /** Creates the first user, as the setup page does. */
  signUp(): Promise<Person>
  stop(): Promise<void>
}

export async function startTestPlatform(settings: Readonly<Record<string, string>> = {}): Promise<TestPlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-platform-'))
  const gitHost = await startGitHost({ authorizedKey: 'none yet' })
  const lifeline = await openLifeline()
  const ports = await takePortBlock()
  const port = await freePort()
  const url = `http://localhost:${port}`
  let setUpToken = ''
  const printed: string[] = []
  const all = {
    SHIPWAY_DATA: join(folder, 'data'),
    SHIPWAY_PORT: String(port),
    SHIPWAY_PORTS: ports.range,
    SHIPWAY_LOG_LEVEL: 'warn',
    SHIPWAY_API_REQUESTS_PER_MINUTE: '100000000',
    // The repository is on this machine.
    SHIPWAY_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...settings,
  }
  const start = () =>
    startOurs(all, (line) => {
      printed.push(line)
      setUpToken = /#token=(\S+)$/.exec(line)?.[1] ?? setUpToken
    })
  let child = await start()
  return {
    url,
    gitHost,
    folder,
    lifeline,
    printed,
    kill: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    restart: async () => {
      child = await start()
    },
    get setUpToken() {
      return setUpToken
    },
    signUp: async () => {
      const body = { name: 'Maren Okafor', email: 'maren@tidewater.example', password: PASSWORD }
      return signIn(url, '/api/setup', { token: setUpToken, ...body, organization: 'Tidewater Books' })
    },
    stop: async () => {
      await stopProcess(child)
      await lifeline.close()
      await ports.release()
      await gitHost.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** The person whose session this call starts. */
export async function signIn(url: string, path: string, body: Readonly<Record<string, string>>): Promise<Person> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'user-agent': FIREFOX },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const { name, email } = JSON.parse(await answer.text())
  return { name, email, cookie, client: clientWith(url, cookie) }
}

/** A second user, who is a member of the owner's organization. */
export async function inviteColleague(platform: TestPlatform, { client }: Person): Promise<Person> {
  const organizationId = (await client.getMe()).organizations[0]?.id ?? 0
  const body = { email: 'jonas@tidewater.example', role: 'member' as const }
  const { url } = await client.createInvitation({ params: { id: organizationId }, body })
  const token = new URL(url ?? '').hash.slice('#token='.length)
  return signIn(platform.url, '/api/invitations/acceptance', { token, name: 'Jonas', password: PASSWORD })
}

const clientWith = (url: string, cookie: string): Client =>
  createClient({
    baseUrl: url,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('cookie', cookie)
      headers.set('origin', url)
      return fetch(input, { ...init, headers })
    },
  })

type TestPullRequest = {
  readonly number: number
  readonly branch: string
  readonly sha: string
  readonly title: string
  readonly isFork?: boolean
}

export type TestProject = {
  readonly id: number
  readonly webhook: { readonly url: string; readonly secret: string }
  /** Commits to a branch, which starts at main, and returns the sha. */
  commit(branch: string, outcome: Outcome, message: string): string
  environment(name: string, branch: string, extra?: Record<string, unknown>): Promise<number>
  deploy(environmentId: number): Promise<number>
  openPullRequest(request: TestPullRequest): Promise<void>
}

/** The first user, with a project on the platform's own machine and no deployment yet. */
export async function createOwner(
  platform: TestPlatform,
  { name, domain }: { readonly name: string; readonly domain: string } = { name: 'shop', domain: 'shop.localhost' },
): Promise<{ readonly owner: Person; readonly project: TestProject }> {
  const owner = await platform.signUp()
  const server = await owner.client.createServer({
    body: { name: 'quay-1', hostname: 'localhost', connection: 'local' },
  })
  return { owner, project: await createProject(platform, owner, { name, domain, serverIds: [server.id] }) }
}

export async function createProject(
  platform: TestPlatform,
  { client }: Person,
  { name, domain, serverIds }: { readonly name: string; readonly domain: string; readonly serverIds: number[] },
): Promise<TestProject> {
  const repository = join(platform.gitHost.folder, name)
  mkdirSync(repository)
  const git = (...words: string[]): string => execFileSync('git', ['-C', repository, ...words], { encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch=main')
  const body = {
    name,
    domain,
    server_ids: serverIds,
    repo_url: platform.gitHost.address(`${repository}/.git`),
    repository_host: 'github' as const,
    default_recipe: 'manual' as const,
  }
  const project = await client.createProject({ body })
  // The git host accepts one key: that of the newest project.
  platform.gitHost.authorize(project.repository_key)
  const commit = (branch: string, outcome: Outcome, message: string): string => {
    const isThere = git('branch', '--list', branch).trim() !== '' || branch === 'main'
    git('checkout', '--quiet', ...(isThere ? (git('branch').trim() === '' ? ['-B'] : []) : ['-b']), branch)
    for (const [path, text] of Object.entries(filesOf(outcome, platform.lifeline.port)))
      writeFileSync(join(repository, path), text)
    git('add', '--all')
    const author = ['-c', 'user.name=Priya Raman', '-c', 'user.email=priya@tidewater.example']
    git(...author, 'commit', '--quiet', '--allow-empty', `--message=${message}`)
    return git('rev-parse', 'HEAD').trim()
  }
  return {
    id: project.id,
    webhook: project.webhook,
    commit,
    environment: async (environment, branch, extra = {}) =>
      (await client.createEnvironment({ params: { id: project.id }, body: { name: environment, branch, ...extra } }))
        .id,
    deploy: async (id) => (await ended(client, (await client.startDeployment({ params: { id } })).id)).id,
    openPullRequest: async ({ number, branch, sha, title, isFork = false }) => {
      const hook = openHook(project.webhook.url, project.webhook.secret)
      const payload = pullRequestWas('opened', { number, branch, sha })
      const head = { ...payload.pull_request.head, ...(isFork && { repo: { id: 2 } }) }
      const sent = await hook.send({
        event: 'pull_request',
        payload: { ...payload, pull_request: { ...payload.pull_request, title, head } },
      })
      hook.close()
      await outcomeOf(client, project.id, sent)
    },
  }
}
