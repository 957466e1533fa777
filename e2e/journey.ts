// Shared by journeys: a platform with an owner, a repository on a real git host, a server, and a project with an environment.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@shipway/api'
import { type Database, openDatabase } from '../packages/server/src/store/database.ts'
import { findSetting } from '../packages/server/src/store/settings.ts'
import { startSshdForPeople } from '../packages/server/test/access/sshd-for-people.ts'
import { clientOf } from '../packages/server/test/docker/docker-engine.ts'
import { buildOrganization, buildUser, type TestUser } from '../packages/server/test/factories.ts'
import { type GitHost, startGitHost } from '../packages/server/test/git-host.ts'
import type { HaproxyEdge } from '../packages/server/test/haproxy-edge.ts'
import { createOrigin, findTip, type Origin, type OriginFile } from '../packages/server/test/origin.ts'
import { type Sshd, startSshd } from '../packages/server/test/sshd.ts'
import { type Build, type DatabaseName, type Platform, startPlatform } from '../tools/platform.ts'
import { openHaproxyOfServer } from './haproxy-of-server.ts'

type Files = Readonly<Record<string, string | OriginFile | null>>
type Settings = Readonly<Record<string, string>>

export type Journey = JourneyProject & {
  readonly platform: Platform & { readonly filled: TestUser }
  /** Docker filters for an environment: engines are shared, and every platform has an environment 1. */
  ofEnvironment(id: number): string[]
}

/** A project on a running platform, with its repository and server. */
export type JourneyProject = {
  readonly client: Client
  readonly gitHost: GitHost
  /** The server of the environments, if it is reached over ssh. */
  readonly sshd: Sshd | undefined
  /** The home folder on that server, which is removed with it: another platform's first task has the same id. */
  readonly home: string | undefined
  /** Port of its HAProxy, if that is its edge. */
  readonly edgePort: number | undefined
  /** Port where environments answer: that HAProxy's, or the platform's. */
  readonly servingPort: number
  readonly projectId: number
  /** Commits these files to main, null for a deleted one, and returns the sha. */
  commit(files: Files): string
  createEnvironment(name: string): Promise<number>
  stop(): Promise<void>
}

/** A docker project needs the address of its Engine. */
export async function beginJourney(
  database: DatabaseName,
  connection: 'local' | 'ssh',
  {
    dockerHost,
    settings = {},
    build,
    ...where
  }: Pick<Where, 'dockerHost' | 'home' | 'letsPeopleIn'> & { settings?: Settings; build?: Build } = {},
): Promise<Journey> {
  const docker = dockerHost === undefined ? {} : { DOCKER_HOST: dockerHost }
  const platform = await startPlatform(database, buildOwner, { ...docker, ...settings }, build)
  const { url, filled } = platform
  const place = { url, token: filled.token, connection, ...where, ...(dockerHost && { dockerHost }) }
  const project = await beginProject(place)
  const installation = `label=shipway.installation=${await findInstallation(platform)}`
  return {
    ...project,
    platform,
    ofEnvironment: (id) => ['--filter', installation, '--filter', `label=shipway.environment=${id}`],
    stop: async () => {
      if (dockerHost !== undefined) await removeContainers(installation, dockerHost)
      await platform.stop()
      await project.stop()
    },
  }
}

async function findInstallation({ address }: Platform): Promise<string | undefined> {
  const database = await openDatabase(address)
  const installation = await findSetting(database.db, 'installation_id')
  await database.close()
  return installation
}

/** Journeys share engines, and the next platform may use the same ports. */
async function removeContainers(label: string, dockerHost: string): Promise<void> {
  const { docker } = clientOf(dockerHost)
  const list = async () =>
    (await docker('ps', '--all', '--quiet', '--filter', label)).trim().split('\n').filter(Boolean)
  // Some may be gone already: the platform was removing them when it stopped.
  const remove = async (ids: readonly string[]) =>
    docker('rm', '--force', '--volumes', ...ids).catch((error: unknown) => {
      if (!/already in progress|No such container/.test(String(error))) throw error
    })
  for (let ids = await list(); ids.length > 0; ids = await list()) await remove(ids)
}

export async function buildOwner({ db }: Pick<Database, 'db'>): Promise<TestUser> {
  const records = { db, clock: Date.now }
  // An administrator, because no other user may register the platform's own machine.
  const owner = await buildUser(records, { is_platform_admin: 1 })
  await buildOrganization(records, [{ user: owner, role: 'owner' }])
  return owner
}

type Where = {
  readonly url: string
  readonly token: string
  readonly connection: 'local' | 'ssh'
  readonly dockerHost?: string
  /** An empty folder to use as the home on the server; a new one by default. */
  readonly home?: string
  /** Lets people in with their own certificates, over ssh. */
  readonly letsPeopleIn?: boolean
}

export async function beginProject(where: Where): Promise<JourneyProject> {
  const { url, token, dockerHost } = where
  const client = createClient({ baseUrl: url, token: () => token })
  const gitHost = await startGitHost({ authorizedKey: 'none yet' })
  const origin = createOrigin(join(gitHost.folder, 'repository/.git'))
  const { sshd, home, edge, serverId } = await addServer(client, where)
  const project = await client.createProject({
    body: {
      name: 'Hello',
      repo_url: gitHost.address(origin.path),
      domain: 'hello.localhost',
      server_ids: [serverId],
      default_recipe: dockerHost === undefined ? 'manual' : 'docker',
    },
  })
  gitHost.authorize(project.repository_key)
  return {
    client,
    gitHost,
    sshd,
    home,
    edgePort: edge?.port,
    servingPort: edge?.port ?? Number(new URL(url).port),
    projectId: project.id,
    commit: committing(origin),
    createEnvironment: async (name) => {
      const body = { name, branch: 'main' }
      return (await client.createEnvironment({ params: { id: project.id }, body })).id
    },
    stop: async () => {
      await sshd?.stop()
      await edge?.stop()
      await gitHost.stop()
      if (home !== undefined) rmSync(home, { recursive: true, force: true })
    },
  }
}

type AddedServer = { readonly serverId: number } & Partial<{
  readonly sshd: Sshd
  readonly home: string
  readonly edge: HaproxyEdge
}>

/** Over ssh, a real HAProxy runs beside the sshd of the server. */
async function addServer(client: Client, { connection, dockerHost, ...where }: Where): Promise<AddedServer> {
  const body = { name: 'Server', hostname: '127.0.0.1', connection }
  const { id, authority_key: authorityKey, principal, setup_command: setUpLine } = await client.createServer({ body })
  const added: AddedServer = { serverId: id }
  if (connection === 'local') return added
  const home = where.home ?? mkdtempSync(join(tmpdir(), 'shipway-home-'))
  const environment = dockerHost === undefined ? {} : { DOCKER_HOST: dockerHost }
  const sshd = where.letsPeopleIn
    ? await startSshdForPeople({ home, environment, principal, authorityKey, ...peopleIn(setUpLine ?? '') })
    : await startSshd({
        authorityKey,
        principals: [principal],
        settings: [`SetEnv HOME=${home}${dockerHost === undefined ? '' : ` DOCKER_HOST=${dockerHost}`}`],
      })
  const { port, unixUser } = sshd.address()
  await client.updateServer({ params: { id }, body: { port, user: unixUser } })
  return { ...added, home, sshd, edge: await openHaproxyOfServer(home, setUpLine ?? '') }
}

function peopleIn(setUpLine: string): { readonly installationId: string; readonly peopleKey: string } {
  const [, installationId = ''] = /--installation (\S+)/.exec(setUpLine) ?? []
  const [, peopleKey = ''] = /--people '([^']*)'/.exec(setUpLine) ?? []
  return { installationId, peopleKey }
}

/** Each commit adds its files to the previous commit, even if a test has moved the branch since. */
function committing(origin: Origin): (files: Files) => string {
  const known = new Map<string | undefined, Readonly<Record<string, OriginFile>>>()
  return (files) => {
    const all = { ...known.get(findTip(origin.path, 'main')) }
    for (const [path, content] of Object.entries(files)) {
      if (content === null) delete all[path]
      else all[path] = typeof content === 'string' ? { content, mode: modeOf(content) } : content
    }
    const sha = origin.commit(all, { message: 'Change\n' })
    known.set(sha, all)
    return sha
  }
}

const modeOf = (content: string): '100755' | '100644' => (content.startsWith('#!') ? '100755' : '100644')

/** Whether it becomes true within the time. */
export async function comesTrue(ask: () => Promise<boolean>, seconds = 120): Promise<boolean> {
  const isSo = async () => (await ask()) || undefined
  return (await askAgain(isSo, { seconds, leastPauseMs: 10 })) ?? false
}

/** Polls until there is an answer; fails when the time is over. */
export async function until<T>(ask: () => Promise<T | undefined>, what: string, seconds = 240): Promise<T> {
  const answer = await askAgain(ask, { seconds, leastPauseMs: 100 })
  if (answer === undefined) throw new Error(`Not within ${seconds} s: ${what}`)
  return answer
}

/** Undefined if there is no answer within the time. The pauses grow with the cost of asking: a `docker ps` uses a whole core. */
async function askAgain<T>(
  ask: () => Promise<T | undefined>,
  { seconds, leastPauseMs }: { seconds: number; leastPauseMs: number },
): Promise<T | undefined> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const askedAt = performance.now()
    const answer = await ask()
    if (answer !== undefined) return answer
    const now = performance.now()
    if (now >= end) return undefined
    const pauseMs = Math.min(Math.max(leastPauseMs, 8 * (now - askedAt)), MOST_PAUSE_MS)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

const MOST_PAUSE_MS = 1000

export async function ended(client: Client, taskId: number, seconds = 240) {
  return until(
    async () => {
      const task = await client.getTask({ params: { id: taskId } })
      return task.finished_at === null ? undefined : task
    },
    `task ${taskId} ends`,
    seconds,
  )
}
