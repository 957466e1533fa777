// What journeys share: a platform with an owner, a repository on a real git host, a server, and a project with an environment.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Client, createClient } from '@shipway/api'
import type { Database } from '../packages/server/src/store/database.ts'
import { buildOrganization, buildUser, type TestUser } from '../packages/server/test/factories.ts'
import { type GitHost, startGitHost } from '../packages/server/test/git-host.ts'
import { type Sshd, startSshd } from '../packages/server/test/sshd.ts'
import { type DatabaseName, type Platform, startPlatform } from '../tools/platform.ts'

type Files = Readonly<Record<string, string | null>>

export type Journey = JourneyProject & {
  readonly platform: Platform
}

/** A project on a platform that runs already, with what it deploys from and to. */
export type JourneyProject = {
  readonly client: Client
  readonly gitHost: GitHost
  /** The server that environments run on, where it is reached over ssh. */
  readonly sshd: Sshd | undefined
  /** The home folder on that server, which goes with it: another platform's first task has the same id. */
  readonly home: string | undefined
  readonly projectId: number
  /** Puts these files into the repository as one commit, null for one that goes, and gives its sha. */
  commit(files: Files): string
  createEnvironment(name: string): Promise<number>
  stop(): Promise<void>
}

export async function beginJourney(database: DatabaseName, connection: 'local' | 'ssh'): Promise<Journey> {
  const platform = await startPlatform(database, buildOwner)
  const project = await beginProject({ url: platform.url, token: platform.filled.token, connection })
  return {
    ...project,
    platform,
    stop: async () => {
      await platform.stop()
      await project.stop()
    },
  }
}

export async function buildOwner({ db }: Pick<Database, 'db'>): Promise<TestUser> {
  const records = { db, clock: Date.now }
  // An administrator: nobody else may register the platform's own machine.
  const owner = await buildUser(records, { is_platform_admin: 1 })
  await buildOrganization(records, [{ user: owner, role: 'owner' }])
  return owner
}

type Where = { readonly url: string; readonly token: string; readonly connection: 'local' | 'ssh' }

export async function beginProject({ url, token, connection }: Where): Promise<JourneyProject> {
  const client = createClient({ baseUrl: url, token: () => token })
  const gitHost = await startGitHost({ authorizedKey: 'none yet' })
  const repository = join(gitHost.folder, 'repository')
  mkdirSync(repository)
  git(repository, 'init', '--quiet', '--initial-branch=main')
  const { sshd, home, serverId } = await addServer(client, connection)
  const project = await client.createProject({
    body: {
      name: 'Hello',
      repo_url: gitHost.address(`${repository}/.git`),
      domain: 'hello.localhost',
      server_ids: [serverId],
      default_recipe: 'manual',
    },
  })
  gitHost.authorize(project.repository_key)
  return {
    client,
    gitHost,
    sshd,
    home,
    projectId: project.id,
    commit: (files) => commit(repository, files),
    createEnvironment: async (name) => {
      const body = { name, branch: 'main' }
      return (await client.createEnvironment({ params: { id: project.id }, body })).id
    },
    stop: async () => {
      await sshd?.stop()
      await gitHost.stop()
      if (home !== undefined) rmSync(home, { recursive: true, force: true })
    },
  }
}

async function addServer(
  client: Client,
  connection: 'local' | 'ssh',
): Promise<{ sshd: Sshd | undefined; home: string | undefined; serverId: number }> {
  const body = { name: 'Server', hostname: '127.0.0.1', connection }
  const { id, authority_key: authorityKey } = await client.createServer({ body })
  if (connection === 'local') return { sshd: undefined, home: undefined, serverId: id }
  const home = mkdtempSync(join(tmpdir(), 'shipway-home-'))
  const sshd = await startSshd({ authorityKey, settings: [`SetEnv HOME=${home}`] })
  const { port, unixUser } = sshd.address()
  await client.updateServer({ params: { id }, body: { port, user: unixUser } })
  return { sshd, home, serverId: id }
}

function commit(repository: string, files: Files): string {
  for (const [path, content] of Object.entries(files)) {
    const file = join(repository, path)
    if (content === null) {
      rmSync(file)
      continue
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    if (content.startsWith('#!')) chmodSync(file, 0o755)
  }
  git(repository, 'add', '--all')
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  git(repository, ...author, 'commit', '--quiet', '--allow-empty', '--message=Change')
  return git(repository, 'rev-parse', 'HEAD').trim()
}

function git(folder: string, ...words: string[]): string {
  return execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' })
}

/** Whether it becomes so within the time. */
export async function comesTrue(ask: () => Promise<boolean>, seconds: number): Promise<boolean> {
  const end = performance.now() + seconds * 1000
  while (!(await ask())) {
    if (performance.now() >= end) return false
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return true
}

/** Asks again until it is so, or until there was time enough. */
export async function until<T>(ask: () => Promise<T | undefined>, what: string, seconds = 60): Promise<T> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`Not within ${seconds} s: ${what}`)
}

export async function ended(client: Client, taskId: number, seconds = 60) {
  return until(
    async () => {
      const task = await client.getTask({ params: { id: taskId } })
      return task.finished_at === null ? undefined : task
    },
    `task ${taskId} ends`,
    seconds,
  )
}
