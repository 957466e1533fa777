// Actions with real parts: a command in the live containers, its output while it runs, its end in the container too, and its files.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { download } from './actions/download.ts'
import { beginJourney, ended, type Journey, until } from './journey.ts'

/** A duration that no other test run on this machine sleeps for. */
const SLEEP = 100_000 + process.pid

const dockerFiles = (version: string) => ({
  '.service.yml': `
services:
  web: { port: 3000 }
docker: { compose: compose.yml }
${actions}`,
  'compose.yml':
    'services: { web: { build: . }, worker: { image: shipway-test/busybox, command: [sleep, "100000"] } }\n',
  Dockerfile: 'FROM shipway-test/node\nWORKDIR /site\nCOPY server.js /server.js\nCMD ["node", "/server.js"]\n',
  'server.js': `
const http = require('node:http')
http.createServer((req, res) => res.end('${version}')).listen(3000)
process.on('SIGTERM', () => process.exit(0))
`,
})

const manualFiles = () => ({
  '.service.yml': `
manual:
  deploy: [{ run: "true" }]
${actions}`,
})

const actions = `
actions:
  report:
    run: |
      mkdir -p out/deep
      printf 'hello' > out/deep/a.txt
      printf 'key=%s domain=%s' "$KEY" "$SERVICE_DOMAIN" > out/variables
      echo "printed $KEY"
    artifacts: { paths: ["out/**"] }
  sleep: { run: "echo begun; sleep ${SLEEP} & echo $! ; wait" }
  short: { run: "sleep ${SLEEP}", timeout: 2s }
  slow: { run: "for n in 1 2 3 4 5 6 7 8; do echo line $n; sleep 1; done; echo whole > slow.txt", artifacts: { paths: [slow.txt] } }
  fails: { run: "echo no >&2; exit 7" }
  hostile:
    run: |
      rm -rf bad; mkdir -p bad/real; cd bad
      echo fine > fine.txt
      ln -s /etc/passwd report.txt
      ln -s / root
      ln -s real linked
      echo x > real/x
      echo linked > hard; ln hard hard2
      mkfifo pipe
      echo a > "$(printf 'new\\nline.txt')"
      echo q > '"q".txt'
      echo dash > -rf
      echo svg > x.svg
      echo con > CON
    artifacts: { paths: ["bad/*", "bad/*/*"] }
  many: { run: "mkdir -p many; i=0; while [ $i -lt 1001 ]; do i=$((i+1)); : > many/$i; done", artifacts: { paths: ["many/*"] } }
  huge: { run: "truncate -s 10995116277760 huge.bin", artifacts: { paths: [huge.bin] } }
  old: { run: x, result: file }
`

describe.skipIf(!hasDocker).each(['docker', 'manual'] as const)('actions of a %s environment over ssh', (recipe) => {
  let journey: Journey
  let id: number
  const files = recipe === 'docker' ? dockerFiles : manualFiles

  beforeAll(async () => {
    const dockerHost = recipe === 'docker' ? (await sharedEngine()).host : undefined
    const settings = { SHIPWAY_LEAST_DISK_MIB: '1' }
    journey = await beginJourney('embedded', 'ssh', { settings, ...(dockerHost && { dockerHost }) })
    journey.commit(files('one'))
    id = await journey.createEnvironment('main')
    await journey.client.changeVariables({ params: { id }, body: { set: { KEY: 's3cret-value' } } })
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    const task = await ended(journey.client, taskId)
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
  })
  afterAll(() => journey?.stop())

  const start = (name: string) => journey.client.runAction({ params: { id, name } })
  const run = async (name: string) => ended(journey.client, (await start(name)).id)
  const logOf = (taskId: number) => journey.client.readTaskLog({ params: { id: taskId } })
  const artifactsOf = (taskId: number) => journey.client.listArtifacts({ params: { id: taskId } })
  const get = (artifactId: number, headers: Record<string, string> = {}) =>
    download(journey.platform.url, `/api/artifacts/${artifactId}`, {
      authorization: `Bearer ${journey.platform.filled.token}`,
      ...headers,
    })

  test('come from the deployed file', async () => {
    const listed = await journey.client.listActions({ params: { id } })
    expect(listed.map(({ name }) => name)).toEqual([
      'report',
      'sleep',
      'short',
      'slow',
      'fails',
      'hostile',
      'many',
      'huge',
      'old',
    ])
    expect(listed[0]).toMatchObject({
      name: 'report',
      service: null,
      artifact_paths: ['out/**'],
      disabled_reason: null,
    })
    expect(listed.at(-1)?.disabled_reason).toContain('artifacts: { paths: [...] }')
    await expect(start('old')).rejects.toMatchObject({ code: 'file_action_disabled', status: 409 })
    await expect(start('none')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('run, print, and leave files to be downloaded', async () => {
    const task = await run('report')
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({
      status: 'succeeded',
      kind: 'action',
      action: 'report',
    })
    expect(task.phases.map(({ name }) => name)).toEqual(['Prepare', 'Run', 'Artifacts'])
    expect(await logOf(task.id)).toContain('printed [hidden]')
    const [first, second, ...others] = await artifactsOf(task.id)
    expect(others).toEqual([])
    expect(first).toMatchObject({ path: 'out/deep/a.txt', size: 5, task_id: task.id })
    const { status, headers, body } = await get(first?.id ?? 0)
    expect({ status, text: body.toString() }).toEqual({ status: 200, text: 'hello' })
    expect(headers).toMatchObject({
      'content-disposition': 'attachment; filename="a.txt"',
      'content-type': 'application/octet-stream',
      'content-length': '5',
      'x-content-type-options': 'nosniff',
    })
    expect((await get(second?.id ?? 0)).body.toString()).toBe('key=s3cret-value domain=main.hello.localhost')
    expect(await get(first?.id ?? 0, { range: 'bytes=1-3' })).toMatchObject({ status: 206, body: Buffer.from('ell') })
    expect(await get(first?.id ?? 0, { range: 'bytes=9-' })).toMatchObject({ status: 416 })
    const environment = await journey.client.getEnvironment({ params: { id } })
    expect(environment).toMatchObject({ status: 'running', locked: false, active_task: null })
    expect(environment.live?.task_id).not.toBe(task.id)
  })

  test('end on the server when they are canceled, and run one at a time', async () => {
    const task = await start('sleep')
    const printed = await until(async () => {
      const log = await logOf(task.id)
      return /begun\n\d+\n/.test(log) ? log : undefined
    }, 'the action prints')
    await expect(start('sleep')).rejects.toMatchObject({ status: 409, code: 'deployment_in_progress' })
    // It prints the process id before the process has become a sleep.
    await expect.poll(sleepers).toBe(1)
    await journey.client.cancelTask({ params: { id: task.id } })
    expect(await ended(journey.client, task.id)).toMatchObject({ status: 'canceled', reason: 'canceled_by_user' })
    expect(printed).toContain('begun')
    expect(sleepers()).toBe(0)
  })

  test('end at their timeout', async () => {
    const task = await run('short')
    expect(task).toMatchObject({ status: 'failed', reason: 'timed_out' })
    expect(task.failed_step?.message).toBe('The step did not end within 2 seconds and was stopped')
    expect(sleepers()).toBe(0)
  })

  test('continue when the platform is killed, and run once', async () => {
    const task = await start('slow')
    await until(async () => ((await logOf(task.id)).includes('line 2') ? true : undefined), 'the action prints')
    journey.platform.process.kill('SIGKILL')
    await journey.platform.restart()
    expect(await ended(journey.client, task.id)).toMatchObject({ status: 'succeeded' })
    expect((await logOf(task.id)).match(/^line \d$/gm)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `line ${n}`))
    expect(await artifactsOf(task.id)).toMatchObject([{ path: 'slow.txt', size: 6 }])
  })

  test('report why they failed', async () => {
    const task = await run('fails')
    expect(task).toMatchObject({ status: 'failed', failed_step: { phase: 'Run', name: 'fails', exit_code: 7 } })
    expect(await logOf(task.id)).toContain('no\n')
  })

  test('keep only plain files of their folder', async () => {
    const task = await run('hostile')
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
    const kept = await artifactsOf(task.id)
    expect(kept.map(({ path }) => path).sort()).toEqual([
      'bad/"q".txt',
      'bad/-rf',
      'bad/CON',
      'bad/fine.txt',
      'bad/real/x',
      'bad/x.svg',
    ])
    const log = await logOf(task.id)
    expect(log).toContain('bad/report.txt is left out: it is a link')
    expect(log).toContain('bad/root is left out: it is a link')
    expect(log).toContain('bad/linked is left out: it is a link')
    expect(log).toContain('bad/pipe is left out: it is no regular file')
    expect(log).toContain('bad/hard is left out: the file has other names as well')
    expect(log).toContain('"bad/new\\nline.txt" is left out')
    const quoted = kept.find(({ path }) => path.includes('q'))
    const { headers, body } = await get(quoted?.id ?? 0)
    expect(body.toString()).toBe('q\n')
    expect(headers['content-disposition']).toBe(`attachment; filename="_q_.txt"; filename*=UTF-8''%22q%22.txt`)
  })

  test('say when they leave too much', async () => {
    const many = await run('many')
    expect(many).toMatchObject({ status: 'failed', failed_step: { phase: 'Artifacts', name: 'Find files' } })
    expect(many.failed_step?.message).toContain('1001 files match')
    const huge = await run('huge')
    expect(huge, await logOf(huge.id)).toMatchObject({
      status: 'failed',
      failed_step: { phase: 'Artifacts', name: 'Keep files' },
    })
    expect(huge.failed_step?.message).toContain('more than 4096 MiB')
    expect(await artifactsOf(huge.id)).toEqual([])
  })

  if (recipe === 'docker')
    test('end with their container, and say so', async () => {
      const task = await start('sleep')
      await until(async () => ((await logOf(task.id)).includes('begun') ? true : undefined), 'the action prints')
      journey.commit(files('two'))
      const { id: deploymentId } = await journey.client.startDeployment({ params: { id } })
      expect(await ended(journey.client, deploymentId)).toMatchObject({ status: 'succeeded' })
      const failed = await ended(journey.client, task.id)
      expect(failed).toMatchObject({ status: 'failed' })
      expect(failed.failed_step?.message).toContain('The container of web was replaced or stopped while the action ran')
      expect(await run('report')).toMatchObject({ status: 'succeeded' })
    })

  test('are ended and removed with the environment', async () => {
    const report = await run('report')
    const [artifact] = await artifactsOf(report.id)
    const task = await start('sleep')
    await until(async () => ((await logOf(task.id)).includes('begun') ? true : undefined), 'the action prints')
    const removal = await journey.client.deleteEnvironment({ params: { id } })
    await expect(start('report')).rejects.toMatchObject({ code: 'environment_removing' })
    expect(await ended(journey.client, removal.id)).toMatchObject({ status: 'succeeded' })
    expect(await journey.client.getTask({ params: { id: task.id } })).toMatchObject({ status: 'canceled' })
    expect(sleepers()).toBe(0)
    expect((await get(artifact?.id ?? 0)).status).toBe(410)
  })
})

/** Counts such processes on this machine, in a container or not. */
function sleepers(): number {
  const list = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  return list.split('\n').filter((line) => line.trim() === `sleep ${SLEEP}`).length
}
