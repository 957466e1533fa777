/**
 * An upgrade during deployments: the platform stops while they run, and another build starts on the same records. Each deployment ends in
 * its true state: it continues where it was, or it ends with a sentence; no step is wrong or runs twice. Long form, with twelve
 * deployments, from the version before: DEPLOYMENTS=12 OLDER=<commit> npx vitest run e2e/operations/upgrade.test.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OURS, stopProcess } from '../../tools/platform.ts'
import { beginJourney, ended, type Journey, until } from '../journey.ts'
import { buildChanged, buildCommit, type OtherBuild } from './other-builds.ts'

const DEPLOYMENTS = Number(process.env.DEPLOYMENTS ?? 4)
const older = process.env.OLDER

type Ended = Awaited<ReturnType<typeof ended>>

test('the same program continues every deployment', async () => {
  using before = older === undefined ? await buildChanged({}) : buildCommit(older)
  const tasks = await upgrade(before, OURS)
  for (const { task, log } of tasks) {
    expect(task).toMatchObject({ status: 'succeeded', reason: null })
    expectOnce(log, ['one is done', 'two is done', 'three is done'])
  }
})

test('a program that differs in later steps continues', async () => {
  using before = await buildChanged({ '"Remove old releases"': '"Remove earlier releases"' })
  for (const { task, log } of await upgrade(before, OURS)) {
    expect(task.status).toBe('succeeded')
    expectOnce(log, ['one is done', 'two is done', 'three is done'])
  }
})

test('a program that differs in finished steps ends each deployment with a sentence', {
  timeout: 300_000,
}, async () => {
  using before = await buildChanged({ '"Check domains"': '"Look at domains"' })
  for (const { task, log } of await upgrade(before, OURS)) {
    expect(task).toMatchObject({ status: 'failed', reason: 'interrupted' })
    expect(task.failed_step?.message).toContain('The platform was updated while this ran')
    expect(task.failed_step?.message).toContain('Deploy again')
    expect(log).not.toContain('three is done')
  }
})

/** Stops `before` in the middle of all deployments, starts `after`, and returns how they ended. */
async function upgrade(before: OtherBuild, after: string): Promise<readonly { task: Ended; log: string }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-upgrade-'))
  const gate = join(folder, 'open')
  const settings = { SHIPWAY_MOST_TASKS_PER_SERVER: String(DEPLOYMENTS), SHIPWAY_MOST_TASKS: String(DEPLOYMENTS + 1) }
  const journey = await beginJourney('embedded', 'ssh', { build: before, settings })
  try {
    journey.commit({ '.service.yml': serviceWaitingFor(gate) })
    const ids: number[] = []
    for (let number = 1; number <= DEPLOYMENTS; number++) {
      const id = await journey.createEnvironment(`env-${number}`)
      ids.push((await journey.client.startDeployment({ params: { id } })).id)
    }
    for (const id of ids) await until(async () => isWaiting(journey, id), `task ${id} is in the middle`)
    // No worker is free for this one: the next process takes it from the queue.
    const id = await journey.createEnvironment('queued')
    const queued = (await journey.client.startDeployment({ params: { id } })).id
    await stopProcess(journey.platform.process)
    expect(journey.platform.process.exitCode).toBe(0)
    await journey.platform.restart(after)
    writeFileSync(gate, '')
    const tasks = []
    for (const taskId of ids) tasks.push(await endOf(journey, taskId))
    expect((await endOf(journey, queued)).task).toMatchObject({ status: 'succeeded' })
    return tasks
  } finally {
    await journey.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const serviceWaitingFor = (gate: string): string => `
services:
  web: {}
manual:
  deploy:
    - name: One
      run: echo "one is done"
    - name: Two
      run: echo "two waits"; while [ ! -e '${gate}' ]; do sleep 0.2; done; echo "two is done"
    - name: Three
      run: echo "three is done"
`

async function isWaiting({ client }: Journey, id: number): Promise<true | undefined> {
  return (await client.readTaskLog({ params: { id } })).includes('two waits') || undefined
}

/** Checks that its result is what serves: its own release if it succeeded, nothing otherwise. */
async function endOf({ client }: Journey, id: number): Promise<{ task: Ended; log: string }> {
  const task = await ended(client, id)
  const { live } = await client.getEnvironment({ params: { id: task.environment_id } })
  expect(live?.task_id).toBe(task.status === 'succeeded' ? id : undefined)
  return { task, log: await client.readTaskLog({ params: { id } }) }
}

function expectOnce(log: string, lines: readonly string[]): void {
  for (const line of lines) expect([line, log.split(line).length - 1]).toEqual([line, 1])
}
