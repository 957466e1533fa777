// `npm run demo`: a platform in a folder that is thrown away, this machine as its server, and an example deployed on it.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@shipway/api'
import { startGitHost } from '../packages/server/test/git-host.ts'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { freePort } from './free-port.ts'
import { startOurs, stopProcess } from './platform.ts'

const EXAMPLE = fileURLToPath(new URL('../examples/hello-manual', import.meta.url))
const PASSWORD = `ship-${randomBytes(9).toString('hex')}`

if (!hasSshd) {
  console.error('The demo serves its repository with OpenSSH. Install it first: apt-get install openssh-server')
  process.exit(1)
}

// Until the end: Ctrl-C during the deployment ends cleanly, too.
const stopped = new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
const folder = mkdtempSync(join(tmpdir(), 'shipway-demo-'))
say(`Everything that the demo makes outside of this checkout is in ${folder}, which goes when it ends`)
if (process.getuid?.() === 0 && !existsSync('/run/sshd'))
  say('One empty folder stays: /run/sshd, which OpenSSH needs when root starts it')
// The repository and the git host are made in the folder for temporary files.
process.env.TMPDIR = folder
const gitHost = await startGitHost({ authorizedKey: 'none yet' })
const port = await freePort()
const url = `http://localhost:${port}`
let setUpToken = ''
const settings = {
  // The application keeps its state below HOME: another platform's applications do so, too.
  HOME: join(folder, 'home'),
  SHIPWAY_DATA: join(folder, 'data'),
  SHIPWAY_PORT: String(port),
  SHIPWAY_LOG_LEVEL: 'warn',
  // The repository is on this machine.
  SHIPWAY_ALLOWED_NETWORKS: '127.0.0.0/8',
}
mkdirSync(settings.HOME)
const platform = await startOurs(settings, (line) => {
  setUpToken = /#token=(\S+)$/.exec(line)?.[1] ?? setUpToken
})

try {
  say('The platform runs. Making a user, an organization, a server and a project')
  const token = await signUp()
  const client = createClient({ baseUrl: url, token: () => token })
  const server = await client.createServer({
    body: { name: 'This machine', hostname: 'localhost', connection: 'local' },
  })
  const project = await client.createProject({
    body: {
      name: 'hello',
      repo_url: gitHost.address(`${makeRepository()}/.git`),
      domain: 'hello.localhost',
      server_ids: [server.id],
      default_recipe: 'manual',
    },
  })
  gitHost.authorize(project.repository_key)
  const environment = await client.createEnvironment({
    params: { id: project.id },
    body: { name: 'main', branch: 'main' },
  })
  say('Deploying examples/hello-manual')
  const { id } = await client.startDeployment({ params: { id: environment.id } })
  const status = await waitFor(client, id)
  console.log(await client.readTaskLog({ params: { id } }))
  if (status !== 'succeeded') throw new Error(`The deployment ended as ${status}`)
  say('It answers. Look at it until you press Ctrl-C:')
  console.log(`  the application   ${environment.url}
  the platform      ${url}/           demo@example.com, password ${PASSWORD}
  the API           ${url}/api/reference
  a token for it    ${token}`)
  await stopped
  say('Removing the environment')
  await waitFor(client, (await client.deleteEnvironment({ params: { id: environment.id } })).id)
} finally {
  await stopProcess(platform)
  await gitHost.stop()
  rmSync(folder, { recursive: true, force: true })
}

function say(text: string): void {
  console.log(`\n${text}`)
}

/** As the set-up page does it, then a token as a person would make one. */
async function signUp(): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: url }
  const person = { name: 'Demo', email: 'demo@example.com', password: PASSWORD, organization: 'Demo' }
  const answer = await fetch(`${url}/api/setup`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token: setUpToken, ...person }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const made = await fetch(`${url}/api/tokens`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ name: 'Demo', scopes: ['read', 'deploy', 'vars:write', 'admin'], expires_in_days: 1 }),
  })
  if (!made.ok) throw new Error(await made.text())
  return JSON.parse(await made.text()).token
}

function makeRepository(): string {
  const repository = join(gitHost.folder, 'hello')
  mkdirSync(repository)
  cpSync(EXAMPLE, repository, { recursive: true })
  const git = (...words: string[]) => execFileSync('git', ['-C', repository, ...words])
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('-c', 'user.name=Demo', '-c', 'user.email=demo@example.com', 'commit', '--quiet', '--message=Say hello')
  return repository
}

async function waitFor(client: ReturnType<typeof createClient>, id: number): Promise<string> {
  while (true) {
    const { status, finished_at } = await client.getTask({ params: { id } })
    if (finished_at !== null) return status
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
