// `shipway up` and `shipway down` from a checkout: what is deployed, who sees it, and what is left afterwards.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../../packages/server/test/docker/docker-engine.ts'
import { ask } from '../ask.ts'
import { beginDockerJourney, type DockerJourney } from '../docker-journey.ts'
import { environmentIn } from './client-process.ts'
import { type InProcess, openInProcess } from './in-process.ts'

const server = (version: string) => `
require('node:http').createServer((req, res) => {
  res.end(JSON.stringify({ version: '${version}', shared: process.env.SHARED ?? null, files: require('node:fs').readdirSync('/app').sort() }))
}).listen(3000)
process.on('SIGTERM', () => process.exit(0))
`
const files = {
  '.service.yml': 'services:\n  web: { port: 3000 }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': 'services:\n  web:\n    build: .\n',
  Dockerfile: 'FROM shipway-test/node\nCOPY . /app\nCMD ["node", "/app/server.js"]\n',
  '.gitignore': '.env\n',
}

describe.skipIf(!hasDocker)('a working tree', () => {
  let journey: DockerJourney
  let program: InProcess
  let folder: string

  beforeAll(async () => {
    journey = await beginDockerJourney('local', { drainSeconds: 0 })
    program = openInProcess({ SHIPWAY_URL: journey.platform.url, SHIPWAY_TOKEN: journey.platform.filled.token })
    journey.commit({ ...files, 'server.js': server('pushed') })
    await journey.client.changeProjectVariables({
      params: { id: journey.projectId },
      body: { set: { SHARED: 'of the project' } },
    })
    const { repo_url } = await journey.client.getProject({ params: { id: journey.projectId } })
    folder = join(program.home, 'shop')
    mkdirSync(folder)
    git('init', '-q', '-b', 'main')
    git('remote', 'add', 'origin', repo_url)
    git('fetch', '-q', join(journey.gitHost.folder, 'repository/.git'), 'main:refs/remotes/origin/main')
    git('reset', '-q', '--hard', 'origin/main')
  })
  afterAll(async () => {
    program?.stop()
    await journey?.stop()
  })

  const git = (...words: string[]): string =>
    execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', env: environmentIn(program.home) }).trim()
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  /** Its temporary files are in a folder of its own: other tests send files, too. */
  const run = (...words: string[]) => program.run(words, { folder, env: { TMPDIR: program.home } })
  const answer = async (url: string) => {
    const { status, text } = await ask(journey.servingPort, new URL(url).hostname)
    return status === 200 ? JSON.parse(text) : { status }
  }
  const own = async () => {
    const environments = await journey.client.listEnvironments({ params: { id: journey.projectId } })
    return environments.filter(({ upload }) => upload !== null)
  }

  test('is deployed with what is not committed, redeployed, rolled back and removed', async () => {
    const head = git('rev-parse', 'HEAD')
    write('server.js', server('uncommitted'))
    write('new.txt', 'new')
    write('.env', 'SECRET=hunter2')
    const before = [git('status', '--porcelain'), readFileSync(join(folder, '.git/index')).toString('base64')]
    const first = await run('up')
    expect({ ...first, err: first.err.split('\n')[0] }).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Sending main, 2 files changed since [0-9a-f]{7}: [0-9.]+ (B|KiB)$/),
    })
    const [environment] = await own()
    expect(environment).toMatchObject({ branch: 'main', status: 'running', upload: { head_sha: head } })
    expect(environment?.name).toMatch(/^up-.+-main$/)
    expect(first.out).toBe(`${environment?.url}\n`)
    expect(first.err).toContain(`\nDeploying to Hello / ${environment?.name}\n`)
    // It follows no branch: commands without -e are about the environment that does.
    await journey.createEnvironment('main')
    expect(await run('link', 'hello')).toMatchObject({ code: 0 })
    expect(await run('envs', 'show')).toMatchObject({ code: 0, out: expect.stringMatching(/^Hello \/ main /) })
    expect(await run('link', '--remove')).toMatchObject({ code: 0 })
    // The ignored file was not sent, and the variables of the project were not handed over.
    const served = ['.gitignore', '.service.yml', 'Dockerfile', 'compose.yml', 'new.txt', 'server.js'].sort()
    expect(await answer(first.out.trim())).toEqual({ version: 'uncommitted', shared: null, files: served })
    expect([git('status', '--porcelain'), readFileSync(join(folder, '.git/index')).toString('base64')]).toEqual(before)
    expect(readdirSync(program.home).filter((name) => name.startsWith('shipway-up-'))).toEqual([])

    await journey.client.updateProject({ params: { id: journey.projectId }, body: { upload_variables: true } })
    write('server.js', server('again'))
    const second = await run('up', '--json', '--expires', '3d')
    expect(second).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(second.out)).toMatchObject({ status: 'succeeded', environment_id: environment?.id })
    expect(await answer(first.out.trim())).toMatchObject({ version: 'again', shared: 'of the project' })
    const [again] = await own()
    expect(Date.parse(again?.expires_at ?? '') - Date.now()).toBeGreaterThan(71 * 3_600_000)

    expect(await run('rollback', '-p', 'hello', '-e', environment?.name ?? '', '--wait')).toMatchObject({
      code: 0,
    })
    expect(await answer(first.out.trim())).toMatchObject({ version: 'uncommitted' })

    expect(await run('down')).toMatchObject({ code: 2, err: expect.stringContaining('Confirm with --yes') })
    expect(await run('down', '--yes', '--wait')).toMatchObject({ code: 0 })
    expect(await own()).toEqual([])
    expect(await run('down', '--yes')).toMatchObject({ code: 5 })
  })

  test('is checked as any commit, and a failure says why', async () => {
    git('checkout', '-qb', 'feature/mount')
    write('compose.yml', 'services:\n  web:\n    build: .\n    volumes: ["/etc:/host"]\n')
    const { code, err } = await run('up')
    expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining('mounts a path outside the checkout') })
    expect(await run('down', '--yes', '--wait')).toMatchObject({ code: 0 })
  })

  test('outside of a repository, and without a project, the error says what to do', async () => {
    expect(await program.run(['up', '-p', 'hello'], { folder: '/' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not in a git repository'),
    })
    git('remote', 'set-url', 'origin', 'git@elsewhere.example:shop.git')
    expect(await run('up')).toMatchObject({ code: 2, err: expect.stringContaining('Give -p') })
  })
})
