// Removing manual environments with real processes: everything that their deployments started ends, however far they came.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAlive } from '../packages/server/test/process-list.ts'
import { beginJourney, ended, type Journey } from './journey.ts'

/** It starts a process, prints its id, and may fail afterwards. */
const files = (end: string) => ({
  '.service.yml': `
services: { web: {} }
manual:
  deploy:
    - { name: Start it, run: 'setsid sleep 9999 </dev/null >/dev/null 2>&1 & echo $! > "$HOME/it.$SERVICE_ENV_IDENTIFIER"; echo pid $!' }
    - { name: Go on, run: ${end} }
  destroy:
    - { name: Stop it, run: 'kill "$(cat "$HOME/it.$SERVICE_ENV_IDENTIFIER")"' }
`,
})

describe.each(['local', 'ssh'] as const)('a manual environment over %s', (connection) => {
  let journey: Journey

  beforeAll(async () => {
    journey = await beginJourney('embedded', connection)
  })
  afterAll(() => journey.stop())

  const deploy = async (id: number, end: string) => {
    journey.commit(files(end))
    const task = await ended(journey.client, (await journey.client.startDeployment({ params: { id } })).id)
    return { ...task, pid: await startedBy(task.id) }
  }
  const startedBy = async (taskId: number): Promise<number> => {
    const log = await journey.client.readTaskLog({ params: { id: taskId } })
    return Number(/pid (\d+)/.exec(log)?.[1])
  }
  const remove = async (id: number) =>
    ended(journey.client, (await journey.client.deleteEnvironment({ params: { id } })).id)

  // The connection makes no difference to them.
  const testOverSsh = connection === 'ssh' ? test : () => undefined

  test('that never became live leaves nothing running', async () => {
    const id = await journey.createEnvironment('failed')
    const { status, pid } = await deploy(id, 'exit 1')
    expect([status, isAlive(pid)]).toEqual(['failed', true])
    expect(await remove(id)).toMatchObject({ status: 'succeeded' })
    expect(isAlive(pid)).toBe(false)
  })

  testOverSsh('whose reset failed serves nothing, says so, and can be removed', async () => {
    const id = await journey.createEnvironment('reset')
    const first = await deploy(id, 'exit 0')
    expect(first.status).toBe('succeeded')
    journey.commit(files('exit 1'))
    const reset = await ended(journey.client, (await journey.client.resetEnvironment({ params: { id } })).id)
    expect(reset).toMatchObject({ status: 'failed', failed_step: { name: 'Go on' } })
    expect(isAlive(first.pid)).toBe(false)
    expect(await journey.client.getEnvironment({ params: { id } })).toMatchObject({ live: null })
    const pid = await startedBy(reset.id)
    expect(isAlive(pid)).toBe(true)
    expect(await remove(id)).toMatchObject({ status: 'succeeded' })
    expect(isAlive(pid)).toBe(false)
  })

  testOverSsh('is removed without its repository', async () => {
    const id = await journey.createEnvironment('orphan')
    const { pid } = await deploy(id, 'exit 0')
    const path = join(journey.gitHost.folder, 'repository')
    rmSync(path, { recursive: true })
    expect(await remove(id)).toMatchObject({ status: 'succeeded' })
    expect(isAlive(pid)).toBe(false)
  })
})
