// `deploy --wait` through a pipe: the plain lines, how it ends, and what it survives.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beginJourney, ended, type Journey, until } from '../journey.ts'
import { openProgram, type Program } from './program.ts'
import { type Relay, startRelay } from './relay.ts'
import { serviceThatRuns } from './service-file.ts'

/** Runs until the file is there. */
const untilReleased = 'echo "waiting here"; while [ ! -e "$GATE" ]; do sleep 0.1; done; echo released'

let journey: Journey
let relay: Relay
let program: Program
let counter = 0
let id: number
let name: string

beforeAll(async () => {
  journey = await beginJourney('embedded', 'local')
  relay = await startRelay(journey.platform.url)
  program = openProgram({ SHIPWAY_URL: relay.url, SHIPWAY_TOKEN: journey.platform.filled.token })
})
beforeEach(async () => {
  name = `env-${++counter}`
  id = await journey.createEnvironment(name)
})
afterEach(async () => {
  relay.cut(false)
  const { active_task: active } = await journey.client.getEnvironment({ params: { id } })
  if (active) await journey.client.cancelTask({ params: { id: active.id } })
})
afterAll(async () => {
  program.stop()
  await relay.stop()
  await journey.stop()
})

const words = (...more: string[]) => ['deploy', '-p', 'hello', '-e', name, '--wait', ...more]
const stepRuns = () =>
  until(async () => {
    const [task] = await journey.client.listTasks({ params: { id }, query: { limit: 1 } })
    const isRunning = task?.phases.some((phase) => phase.steps.some((step) => step.name === 'Say hello'))
    return task && isRunning ? task : undefined
  }, 'the step of the repository runs')

async function gate(): Promise<{ open(): void }> {
  const { writeFileSync } = await import('node:fs')
  const file = `${program.home}/gate-${name}`
  await journey.client.changeVariables({ params: { id }, body: { set: { GATE: file } } })
  journey.commit({ '.service.yml': serviceThatRuns(untilReleased) })
  return { open: () => writeFileSync(file, '') }
}

const TIME = String.raw`\d\d:\d\d:\d\d`
/** A minute or more has no tenths. */
const TOOK = String.raw`(\d+\.\d s|\d+:\d\d)`

describe('a deployment that succeeds', () => {
  test('is printed line by line, and standard output contains only the address', async () => {
    journey.commit({ '.service.yml': serviceThatRuns('echo hello') })
    // The program itself: it also has to end by itself once the deployment has.
    const { code, out, err } = await program.run(words())
    const { url } = await journey.client.getEnvironment({ params: { id } })
    expect({ code, out }).toEqual({ code: 0, out: `${url}\n` })
    const lines = err.trimEnd().split('\n')
    expect(lines[0]).toMatch(new RegExp(`^${TIME} Prepare: .+ ${TOOK}$`))
    expect(err).toMatch(new RegExp(`^${TIME} Start: Say hello ${TOOK}\n${TIME} Start done in ${TOOK}$`, 'm'))
    expect(lines.at(-1)).toMatch(new RegExp(`^Deployed in ${TOOK}$`))
    expect(err).not.toContain('\u001b')
  })

  test('is one object with --json, and nothing else', async () => {
    journey.commit({ '.service.yml': serviceThatRuns('echo hello') })
    const { code, out, err } = await program.inProcess.run(words('--json'))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ status: 'succeeded', environment_id: id, cause: 'cli' })
  })
})

describe('a deployment that fails', () => {
  test('names the branch of --branch, which the repository does not have', async () => {
    journey.commit({ '.service.yml': serviceThatRuns('echo hello') })
    const { code, err } = await program.inProcess.run(words('--branch', 'no-such-branch'))
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('no-such-branch') })
    const [task] = await journey.client.listTasks({ params: { id }, query: { limit: 1 } })
    expect(task).toMatchObject({ branch: 'no-such-branch', status: 'failed' })
  })

  test('ends with 3, the failed step, its output, a hint, and what visitors get', async () => {
    journey.commit({ '.service.yml': serviceThatRuns('echo hello') })
    await program.inProcess.run(words())
    journey.commit({ '.service.yml': serviceThatRuns('echo "cause: \\033[2Jthe reason"; no-such-command') })
    const { code, out, err } = await program.inProcess.run(words())
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toMatch(/Say hello failed after/)
    expect(err).toContain('Say hello failed in Start')
    expect(err).toMatch(/^ {2}\d+ {2}cause: the reason$/m)
    expect(err).toContain('Hint  Exit code 127 means that a command was not found')
    expect(err).toMatch(/^Log {3}shipway tasks log \d+$/m)
    expect(err).toMatch(/^Visitors get no answer: [0-9a-f]{7} of task \d+ is live and does not answer\.$/m)
  })

  test('is a task on standard output and a problem on standard error with --json', async () => {
    journey.commit({ '.service.yml': serviceThatRuns('exit 9') })
    const { code, out, err } = await program.inProcess.run(words('--json'))
    expect(code).toBe(3)
    expect(JSON.parse(out)).toMatchObject({ status: 'failed', failed_step: { exit_code: 9 } })
    expect(JSON.parse(err)).toMatchObject({ code: 'deployment_failed', failed_step: { name: 'Say hello' } })
  })

  test('ends with 3 if a user cancels it', async () => {
    await gate()
    const { ended: end } = program.inProcess.start(words())
    const task = await stepRuns()
    await journey.client.cancelTask({ params: { id: task.id } })
    const { code, err } = await end
    expect(code).toBe(3)
    expect(err).toMatch(/was canceled: a user canceled it|canceled/)
  })
})

describe('a client that stops waiting', () => {
  test('with Ctrl-C detaches and says so, and the deployment goes on', async () => {
    const { open } = await gate()
    const { child, ended: end } = program.start(words())
    const task = await stepRuns()
    child.kill('SIGINT')
    expect(await end).toMatchObject({
      code: 130,
      out: '',
      err: expect.stringContaining(`Detached. Task ${task.id} goes on.\nWatch it: shipway tasks log ${task.id} -f\n`),
    })
    open()
    expect(await ended(journey.client, task.id)).toMatchObject({ status: 'succeeded' })
  })

  test('by a kill leaves the deployment alone', async () => {
    const { open } = await gate()
    const { child, ended: end } = program.start(words())
    const task = await stepRuns()
    child.kill('SIGKILL')
    expect(await end).toMatchObject({ code: null })
    open()
    expect(await ended(journey.client, task.id)).toMatchObject({ status: 'succeeded' })
  })

  test('after --timeout ends with 7, and the deployment goes on', async () => {
    const { open } = await gate()
    const { code, out, err } = await program.inProcess.run(words('--timeout', '1s', '--json'))
    expect({ code, out }).toEqual({ code: 7, out: '' })
    expect(JSON.parse(err)).toMatchObject({ code: 'wait_timed_out', task_id: expect.any(Number) })
    open()
    const { task_id: taskId } = JSON.parse(err)
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
  })
})

describe('a waiting client', () => {
  test('survives a lost connection, and a platform that does not answer', async () => {
    const { open } = await gate()
    const { stderr, ended: end } = program.inProcess.start(words())
    await stepRuns()
    const reported = new Promise<void>((resolve) => {
      stderr.on('data', (piece: Buffer) => String(piece).includes('does not answer') && resolve())
    })
    relay.cut(true)
    open()
    await reported
    await until(async () => {
      const { live } = await journey.client.getEnvironment({ params: { id } })
      return live ?? undefined
    }, 'it is deployed meanwhile')
    relay.cut(false)
    const { code, err } = await end
    expect(code).toBe(0)
    expect(err).toContain('The platform does not answer; trying again')
    expect(err).toContain('The platform answers again')
  })

  test('survives a platform that is killed and starts again', async () => {
    const { open } = await gate()
    const { ended: end } = program.inProcess.start(words())
    await stepRuns()
    const { process: platform } = journey.platform
    platform.kill('SIGKILL')
    await new Promise((resolve) => platform.once('exit', resolve))
    await journey.platform.restart()
    open()
    const { code, out } = await end
    const { url } = await journey.client.getEnvironment({ params: { id } })
    expect({ code, out }).toEqual({ code: 0, out: `${url}\n` })
  })

  test('follows a log across a lost connection, each line once', async () => {
    const { open } = await gate()
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    const { stdout, ended: end } = program.inProcess.start(['tasks', 'log', String(taskId), '-f'])
    await new Promise<void>((resolve) => {
      stdout.on('data', (piece: Buffer) => String(piece).includes('waiting here') && resolve())
    })
    relay.cut(false)
    open()
    const { code, out } = await end
    expect(code).toBe(0)
    expect(out.match(/waiting here/g)).toHaveLength(1)
    expect(out).toContain('released')
  })
})

test('a request whose response is lost starts one deployment', async () => {
  const { open } = await gate()
  relay.loseAnswerTo = /^POST .*\/tasks$/
  const before = relay.passed.length
  const { code, out } = await program.inProcess.run(['deploy', '-p', 'hello', '-e', name, '--json'])
  expect(code).toBe(0)
  expect(relay.passed.slice(before).filter((line) => /^POST .*\/tasks$/.test(line))).toHaveLength(2)
  open()
  const tasks = await journey.client.listTasks({ params: { id } })
  expect(tasks.map((task) => task.id)).toEqual([JSON.parse(out).id])
  await ended(journey.client, JSON.parse(out).id)
})
