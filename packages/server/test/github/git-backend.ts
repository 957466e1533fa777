// Repositories over https, as GitHub serves them: git's own CGI program behind basic authentication with a token.
import { spawn } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { demandToken, type GitHubAnswer, type GitHubContext, type GitHubRequest, Refusal } from './answer.ts'
import { fullNameOf, type GitHubRepository, reaches } from './records.ts'

/** Undefined where the path is not one of git. */
export async function answerGit(context: GitHubContext, request: GitHubRequest): Promise<GitHubAnswer | undefined> {
  const [, name, rest] = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/(?:info\/refs|git-upload-pack))$/.exec(request.path) ?? []
  if (name === undefined || rest === undefined) return undefined
  const repository = [...context.records.repositories.values()].find((each) => fullNameOf(each) === name)
  if (!repository || repository.isPrivate || repository.isDeleted) demandReader(context, request, repository)
  if (!repository?.path) throw new Refusal(404, 'Repository not found.')
  return runBackend(repository.path, rest, request)
}

/** A repository that the token does not reach is as one that does not exist. */
function demandReader(context: GitHubContext, request: GitHubRequest, repository: GitHubRepository | undefined): void {
  const basic = /^basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const [user, token] = Buffer.from(basic ?? '', 'base64')
    .toString()
    .split(':')
  if (basic === undefined || user !== 'x-access-token') throw unauthorized()
  try {
    const { token: found, installation } = demandToken(context, token)
    const isRead = found.permissions.contents !== undefined && repository && reaches(installation, repository)
    if (!isRead || found.repositories?.has(repository.id) === false) throw new Refusal(404, 'Repository not found.')
  } catch (error) {
    throw error instanceof Refusal && error.answer.status === 401 ? unauthorized() : error
  }
}

const unauthorized = (): Refusal =>
  new Refusal(401, 'Invalid username or token.', { 'www-authenticate': 'Basic realm="GitHub"' })

async function runBackend(path: string, rest: string, { method, query, headers, body }: GitHubRequest) {
  const backend = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: dirname(path),
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'uploadpack.allowAnySHA1InWant',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_KEY_1: 'safe.directory',
      GIT_CONFIG_VALUE_1: '*',
      GIT_PROTOCOL: `${headers['git-protocol'] ?? ''}`,
      PATH_INFO: `/${basename(path)}${rest}`,
      REQUEST_METHOD: method,
      QUERY_STRING: query.toString(),
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: `${body.length}`,
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      REMOTE_ADDR: '127.0.0.1',
    },
  })
  backend.stdin.on('error', () => backend.kill())
  backend.stdin.end(body)
  const chunks: Buffer[] = []
  for await (const chunk of backend.stdout) chunks.push(chunk)
  return readCgi(Buffer.concat(chunks))
}

function readCgi(printed: Buffer): GitHubAnswer {
  const end = printed.indexOf('\r\n\r\n')
  const lines = printed.subarray(0, end).toString().split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const { status = '200', ...rest } = headers
  return { status: Number.parseInt(status, 10), headers: rest, body: printed.subarray(end + 4) }
}
