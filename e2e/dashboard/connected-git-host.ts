// A Gitea of our own: its API, and its repositories as folders that the test's sshd serves. A deploy key that is added there may read them.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ConnectedHostServer, startConnectedHost } from '../../packages/server/test/connections/connected-host.ts'
import { answerReading, type HostFiles } from '../../packages/server/test/connections/reading-host.ts'
import type { GitHost } from '../../packages/server/test/git-host.ts'

export type ConnectedGitHost = Pick<ConnectedHostServer, 'base' | 'token' | 'repositories' | 'hooks'> & {
  folderOf(name: string): string
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
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
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
    folderOf,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await api.stop()
    },
  }
}

/** Of the newest commit of the branch that the host calls the default one. */
function filesIn(folder: string): HostFiles {
  const git = (...words: string[]): string => execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' })
  const paths = git('ls-tree', '-r', '--name-only', 'trunk').trim().split('\n')
  return Object.fromEntries(paths.map((path) => [path, git('show', `trunk:${path}`)]))
}
