// kill -9 of the platform around the switch of a docker deployment: each task ends in its true state, one version serves, no orphans are
// left. Every point: `KILLS=all npx vitest run e2e/docker-kill.test.ts`.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { hasHaproxy } from '../packages/server/test/haproxy.ts'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { ask } from './ask.ts'
import { beginJourney, comesTrue, ended, type Journey } from './journey.ts'
import { sampleFiles } from './load/sample.ts'

const SHORT = ['Build images', 'Wait for web', 'Switch routes', 'Remove the old version']
const LONG = [
  ...[
    'Find the compose file',
    'Allocate ports',
    'Push the commit',
    'Check out',
    'Write variables',
    'Check the compose file',
  ],
  ...['Build images', 'Plan services', 'Start web', 'Wait for web', 'Switch routes', 'Drain the old version'],
  'Remove the old version',
]
const points = (process.env.KILLS === 'all' ? LONG : SHORT).flatMap((step) => [
  { step, state: 'begun' as const },
  ...(process.env.KILLS === 'all' ? [{ step, state: 'ended' as const }] : []),
])

describe.skipIf(!hasDocker || !hasHaproxy || !hasSshd)('kill -9 of the platform', () => {
  let journey: Journey
  let docker: (...words: string[]) => Promise<string>
  let id: number
  let version = 0

  beforeAll(async () => {
    const engine = await sharedEngine()
    docker = engine.docker
    journey = await beginJourney('embedded', 'ssh', {
      dockerHost: engine.host,
      settings: { SHIPWAY_LEAST_DISK_MIB: '1', SHIPWAY_DRAIN_SECONDS: '3' },
    })
    id = await journey.createEnvironment('main')
    journey.commit(sampleFiles('0'))
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
  })
  afterAll(() => journey?.stop())

  /** False if the task ended before it could be killed. */
  const isReached = (taskId: number, { step: name, state }: (typeof points)[number]): Promise<boolean> =>
    comesTrue(async () => {
      const task = await journey.client.getTask({ params: { id: taskId } })
      const step = task.phases.flatMap(({ steps }) => steps).find((one) => one.name === name)
      return step !== undefined && (state === 'begun' || step.status !== 'running')
    }, 60)
  const versions = async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(journey.edgePort ?? 0, 'main.hello.localhost')),
    )
    return [...new Set(answers.map(({ text }) => text))]
  }
  const containers = async () => {
    const ids = await docker('ps', '--all', '--quiet', ...journey.ofEnvironment(id))
    return ids.split('\n').filter(Boolean).length
  }

  test.each(points)('when $step has $state', async (point) => {
    const next = String(++version)
    journey.commit(sampleFiles(next))
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    expect(await isReached(taskId, point)).toBe(true)
    journey.platform.process.kill('SIGKILL')
    // The server still runs commands that it has already received: the routes may switch during these requests, and each gets one of the
    // two versions.
    for (const seen of await versions()) expect([String(version - 1), next]).toContain(seen)
    // As where another machine takes over: it has no copy of the repository.
    rmSync(join(journey.platform.address.dataFolder, 'mirrors'), { recursive: true })
    await journey.platform.restart()
    const task = await ended(journey.client, taskId)
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
    expect(await versions()).toEqual([next])
    expect(await comesTrue(async () => (await containers()) === 1)).toBe(true)
  })
})
