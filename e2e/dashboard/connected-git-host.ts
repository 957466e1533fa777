// A Gitea of our own: its API, and its repositories as folders that the test's sshd serves. A deploy key that is added there may read them.
import { execFileSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ConnectedHostServer, startConnectedHost } from '../../packages/server/test/connections/connected-host.ts'
import { answerReading, type HostFiles } from '../../packages/server/test/connections/reading-host.ts'
import type { GitHost } from '../../packages/server/test/git-host.ts'
import { pullRequestWas } from '../webhooks/deliveries.ts'

export type ConnectedGitHost = Pick<ConnectedHostServer, 'base' | 'token' | 'repositories' | 'hooks' | 'idOf'> & {
  folderOf(name: string): string
  /** To the branch trunk. A new repository is listed from then on. */
  commit(name: string, files: Readonly<Record<string, string>>): void
  /** Commits to a branch called feature, and returns the sha. */
  branchOff(name: string): string
  stop(): Promise<void>
}

const ROOT = '/api/v1'

export async function startConnectedGitHost(gitHost: GitHost): Promise<ConnectedGitHost> {
  const api = await startConnectedHost('gitea')
  api.repositories.length = 0
  const folderOf = (name: string): string => join(gitHost.folder, name)
  api.sshAddressOf = (name) => gitHost.address(`${folderOf(name)}/.git`)
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', api.base)
    const path = url.pathname.slice(ROOT.length)
    const name = api.repositories.find((one) => path.startsWith(`/repos/${one}/`))
    const isAllowed = request.headers.authorization === `token ${api.token}`
    const repository =
      name !== undefined && isAllowed ? { name, branches: { trunk: filesIn(folderOf(name)) } } : undefined
    const reading = repository && answerReading('gitea', { path, query: url.searchParams }, repository)
    if (reading) {
      const { status, body } = reading
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET', headers } = request
    const answer = await fetch(url, {
      method,
      // Not over a kept connection: while git blocks this process, the other end may have closed it.
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json', connection: 'close' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const key = api.keys.at(-1)?.key
    if (key !== undefined) gitHost.authorize(key)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: api.token,
    repositories: api.repositories,
    hooks: api.hooks,
    idOf: api.idOf,
    folderOf,
    commit: (name, files) => {
      const folder = folderOf(name)
      mkdirSync(folder, { recursive: true })
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
      gitIn(folder)('init', '--quiet', '--initial-branch=trunk')
      gitIn(folder)('add', '--all')
      gitIn(folder)(...AUTHOR, 'commit', '--quiet', '--message=Change')
      if (!api.repositories.includes(name)) api.repositories.push(name)
    },
    branchOff: (name) => {
      const git = gitIn(folderOf(name))
      git('checkout', '--quiet', '-b', 'feature')
      git(...AUTHOR, 'commit', '--quiet', '--allow-empty', '--message=Add a feature')
      const sha = git('rev-parse', 'HEAD').trim()
      git('checkout', '--quiet', 'trunk')
      return sha
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await api.stop()
    },
  }
}

const AUTHOR = ['-c', 'user.name=Priya', '-c', 'user.email=priya@example.com']

const gitIn =
  (folder: string) =>
  (...words: string[]): string =>
    execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' })

type Opened = Readonly<Record<'url' | 'secret' | 'sha', string>> & { readonly repositoryId: number }

/** As Gitea delivers it to a webhook: pull request 7 of the branch feature was opened. */
export function deliverOpened({ url, secret, sha, repositoryId: id }: Opened) {
  const payload = pullRequestWas('opened', { number: 7, branch: 'feature', sha })
  const { head, base } = payload.pull_request
  const pull_request = { ...payload.pull_request, head: { ...head, repo: { id } }, base: { ...base, repo: { id } } }
  const body = JSON.stringify({ ...payload, pull_request, repository: { id } })
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gitea-event': 'pull_request',
      'x-gitea-delivery': randomUUID(),
      'x-gitea-signature': createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
  })
}

/** Of the newest commit of the branch that the host calls the default one. */
function filesIn(folder: string): HostFiles {
  const git = gitIn(folder)
  const paths = git('ls-tree', '-r', '--name-only', 'trunk').trim().split('\n')
  return Object.fromEntries(paths.map((path) => [path, git('show', `trunk:${path}`)]))
}
