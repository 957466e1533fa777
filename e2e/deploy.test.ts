// A deployment from a real git host to a real server, from the first request to the page that answers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginJourney, ended, type Journey, until } from './journey.ts'

const service = `
services:
  web: {}
manual:
  deploy:
    - name: Say hello
      run: echo "hello from $SERVICE_ENV_IDENTIFIER on port $PORT, key $KEY"
`

describe.each(['local', 'ssh'] as const)('a manual deployment over %s', (connection) => {
  let journey: Journey

  beforeAll(async () => {
    journey = await beginJourney('embedded', connection)
  })
  afterAll(() => journey.stop())

  // The connection makes no difference to them.
  const testOverSsh = connection === 'ssh' ? test : () => undefined

  test('records its steps, its output and its commit', async () => {
    const sha = journey.commit({ '.service.yml': service })
    const id = await journey.createEnvironment('main')
    await journey.client.changeVariables({ params: { id }, body: { set: { KEY: 'value-of-key' } } })
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    const task = await ended(journey.client, taskId)
    expect(task.phases.map(({ name, status }) => [name, status])).toEqual(
      ['Prepare', 'Transfer', 'Start', 'Switch', 'Clean up'].map((name) => [name, 'succeeded']),
    )
    expect(task).toMatchObject({ status: 'succeeded', reason: null, commit: { sha, message: 'Change', author: 'Ada' } })
    const log = await journey.client.readTaskLog({ params: { id: taskId } })
    expect(log).toMatch(/hello from main on port 2[0-9]{4}, key \[hidden\]/)
    expect(await journey.client.getEnvironment({ params: { id } })).toMatchObject({
      locked: false,
      variables_changed: false,
      live: { task_id: taskId, commit_sha: sha },
    })
  })

  testOverSsh('a failing task of the repository fails its step, and says so', async () => {
    journey.commit({ '.service.yml': service.replace('echo', 'exit 3; echo') })
    const id = await journey.createEnvironment('failing')
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    expect(await ended(journey.client, taskId)).toMatchObject({
      status: 'failed',
      failed_step: { phase: 'Start', name: 'Say hello', exit_code: 3 },
    })
    const diagnostics = await journey.client.getDiagnostics({ params: { id } })
    expect(diagnostics.failed_step).toMatchObject({ name: 'Say hello', kind: 'command', exit_code: 3 })
  })

  test('a port that is not available is refused before a task of the repository runs', async () => {
    const deploy = async (name: string, port: number) => {
      journey.commit({ '.service.yml': service.replace('web: {}', `web: { port: ${port} }`) })
      const id = await journey.createEnvironment(name)
      return ended(journey.client, (await journey.client.startDeployment({ params: { id } })).id)
    }
    const refusedFor = (owner: string) => ({
      status: 'failed',
      failed_step: {
        phase: 'Prepare',
        name: 'Allocate ports',
        message: expect.stringContaining(`belongs to ${owner}`),
      },
    })
    const [taken, owner] =
      connection === 'local'
        ? [Number(new URL(journey.platform.url).port), 'the platform']
        : [80, 'the edge of the server']
    expect(await deploy('loop', taken)).toMatchObject(refusedFor(owner))
    expect(await deploy('first', 4321)).toMatchObject({ status: 'succeeded' })
    expect(await deploy('second', 4321)).toMatchObject(refusedFor('the environment first of the project Hello'))
  })

  testOverSsh('a missing .service.yml is reported with the commit', async () => {
    const sha = journey.commit({ '.service.yml': null, 'moved.yml': service })
    const id = await journey.createEnvironment('missing')
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    const message = `.service.yml was not found in the repository root at commit ${sha}. Add one that says what answers where, and push it, or save one in the settings of the project. This one would do:`
    expect(await ended(journey.client, taskId)).toMatchObject({
      status: 'failed',
      failed_step: { phase: 'Prepare', name: 'Read .service.yml', message: expect.stringContaining(message) },
    })
  })

  testOverSsh('a missing branch is reported by name', async () => {
    const id = await journey.createEnvironment('nowhere')
    await journey.client.updateEnvironment({ params: { id }, body: { branch: 'nowhere' } })
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    const task = await ended(journey.client, taskId)
    expect(task.failed_step).toMatchObject({ name: 'Fetch source', message: expect.stringContaining('nowhere') })
  })

  testOverSsh('canceling a running one ends all its processes', async () => {
    journey.commit({ '.service.yml': service.replace('run: echo', 'run: sleep 600; echo') })
    const id = await journey.createEnvironment('slow')
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    await until(async () => {
      const task = await journey.client.getTask({ params: { id: taskId } })
      return task.phases.some(({ name }) => name === 'Start') ? true : undefined
    }, 'the slow step runs')
    await journey.client.cancelTask({ params: { id: taskId } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'canceled', reason: 'canceled_by_user' })
  })

  testOverSsh('removing takes the environment off the list', async () => {
    journey.commit({ '.service.yml': `${service}  destroy: [{ name: Say goodbye, run: echo goodbye }]\n` })
    const id = await journey.createEnvironment('gone')
    await ended(journey.client, (await journey.client.startDeployment({ params: { id } })).id)
    const { id: taskId } = await journey.client.deleteEnvironment({ params: { id } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded', kind: 'remove' })
    expect(await journey.client.readTaskLog({ params: { id: taskId } })).toContain('goodbye')
    await expect(journey.client.getEnvironment({ params: { id } })).rejects.toMatchObject({ status: 404 })
  })
})
