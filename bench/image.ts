// `npm run image`: the container image is built on a Debian that was made from packages, started with the settings of deploy/compose.yml
// (read-only, without capabilities), set up, deployed through over ssh, backed up, stopped and started.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@shipway/api'
import { signIn } from '../e2e/dashboard/test-platform.ts'
import { debianRoot } from '../e2e/installed/debian-root.ts'
import { beginProject, ended, until } from '../e2e/journey.ts'
import { startEngine } from '../packages/server/test/docker/docker-engine.ts'
import { freePort } from '../tools/free-port.ts'
import { say } from './say.ts'

const root = join(import.meta.dirname, '..')

const SERVICE = `
services:
  web: {}
manual:
  deploy:
    - name: Say hello
      run: echo "deployed by the image"
`
const folder = mkdtempSync(join(tmpdir(), 'shipway-image-'))
const engine = await startEngine()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const env = {
  ...process.env,
  DOCKER_HOST: engine.host,
  SHIPWAY_BASE_URL: url,
  DATABASE_PASSWORD: 'not used: the database is the embedded one',
}
const docker = (...words: readonly string[]): string =>
  execFileSync('docker', words, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const changes = join(folder, 'changes.yml')
const compose = (...words: readonly string[]): string =>
  docker('compose', '--file', 'deploy/compose.yml', '--file', changes, ...words)

try {
  execFileSync('sh', ['-c', 'tar -C "$0" --one-file-system -c . | docker import - debian:12-slim', debianRoot()], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  say('the base image is made of packages')
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  docker('build', '--network', 'host', '--file', 'deploy/Dockerfile', '--tag', 'shipway', '.')
  say('the image is built')

  const key = join(folder, 'master-key')
  writeFileSync(key, randomBytes(32).toString('base64'), { mode: 0o600 })
  chownSync(key, 7878, 7878)
  // What differs from deploy/compose.yml: the embedded database, and the network of this machine, where the servers of the test are.
  writeFileSync(changes, changesWith(key))
  compose('up', '--detach', '--no-build')
  await until(async () => isHealthy() || undefined, 'the container is healthy')
  const [, token = ''] = /#token=(\S+)/.exec(compose('logs', '--no-log-prefix', 'shipway')) ?? []
  const owner = {
    name: 'Ada',
    email: 'ada@example.com',
    password: randomBytes(12).toString('hex'),
    organization: 'Tidewater',
  }
  const { client } = await signIn(url, '/api/setup', { token, ...owner })
  const made = await client.createToken({ body: { name: 'image', scopes: [...SCOPES] } })
  say('it is healthy and set up')

  const project = await beginProject({ url, token: made.token, connection: 'ssh' })
  try {
    project.commit({ '.service.yml': SERVICE })
    const environment = await project.createEnvironment('main')
    const { id } = await project.client.startDeployment({ params: { id: environment } })
    const task = await ended(project.client, id)
    assert.equal(task.status, 'succeeded', await project.client.readTaskLog({ params: { id } }))
    say('it deployed over ssh')
    const file = '/var/backups/shipway/monday.backup'
    assert.match(compose('exec', '--no-TTY', 'shipway', 'shipway-server', 'backup', file), /rows of \d+ tables/)
    assert.match(compose('run', '--rm', '--no-TTY', 'shipway', '--help'), /shipway-server starts the platform/)
    compose('stop')
    assert.match(docker('inspect', '--format', '{{.State.ExitCode}}', idOf()), /^0/)
    compose('start')
    await until(async () => isHealthy() || undefined, 'the container is healthy again')
    const { live } = await project.client.getEnvironment({ params: { id: environment } })
    assert.equal(live?.task_id, id)
    say('it was backed up, stopped and started, and knows what it deployed')
  } finally {
    await project.stop()
  }
} finally {
  await engine.stop()
  rmSync(folder, { recursive: true, force: true })
}

function idOf(): string {
  return compose('ps', '--all', '--quiet', 'shipway').trim()
}

function isHealthy(): boolean {
  return docker('inspect', '--format', '{{.State.Health.Status}}', idOf()).trim() === 'healthy'
}

function changesWith(key: string): string {
  return `
services:
  shipway:
    network_mode: host
    ports: !reset []
    depends_on: !reset {}
    environment:
      DATABASE_URL: !reset null
      SHIPWAY_HOST: 127.0.0.1
      SHIPWAY_PORT: ${port}
      SHIPWAY_ALLOWED_NETWORKS: 127.0.0.0/8
    volumes: !override
      - data:/var/lib/shipway
      - backups:/var/backups/shipway
      - ${key}:/run/secrets/master-key:ro
    healthcheck:
      test: [CMD, /opt/shipway/node, -e, "fetch('${url}/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
      interval: 1s
  database: !reset null
`
}
