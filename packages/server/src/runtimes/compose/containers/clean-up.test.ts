// After the switch: the old version is drained and goes, with whatever held values of variables. None of it fails the deployment.
import { describe, expect, test } from 'vitest'
import { deployOnFakeHost, linesOf, listed, type Scenario, stepOf } from '../../../../test/docker/fake-deployment.ts'
import { CommandStopped, ServerUnreachable } from '../../../remote/host.ts'

const services = { web: { image: 'busybox' } }
const old = { service: 'web', task: 41, slot: 'a', ports: [20_000] }
const scenario: Scenario = {
  services,
  containers: [old],
  deployment: { servingTaskId: 41, live: { taskId: 41, commitSha: 'b'.repeat(40) }, keptTaskIds: [41, 40] },
}

test('the old containers go, with those of services that are no more, and images that no rollback needs', async () => {
  const now = [old, { service: 'web', task: 42, slot: 'b' }, { service: 'gone', task: 41 }]
  const answers = {
    'list-containers': [listed([old]), listed(now)],
    'remove-images': { stdout: 'shipway-images7-web:39 stays\n' },
  }
  const deployed = await deployOnFakeHost({ ...scenario, answers })
  expect(linesOf(deployed, 'Drain the old version')).toEqual(['count streams 20000'])
  expect(linesOf(deployed, 'Remove the old version')).toEqual([
    'rm -rf -- ENVIRONMENT/replaced TASK/judged.json TASK/compose.json TASK/republished TASK/mounted.paths',
  ])
  expect(deployed.afterwards).toEqual({
    lines: [
      'list-containers main 7 …',
      'remove-images main 7 42 41 40',
      'keep-output ENVIRONMENT/output 14 1073741824 web-of-41 gone-of-41',
      'remove-containers web-of-41 gone-of-41',
      'list-networks main 7 …',
    ],
    said: ['shipway-images7-web:39 stays'],
  })
})

describe('requests that still lead to the old version', () => {
  const drained = async (open: readonly number[], drainSeconds: number) => {
    const left = [...open]
    const countStreams = async () => left.shift() ?? 0
    const deployment = { ...scenario.deployment, drainSeconds }
    const deployed = await deployOnFakeHost({ ...scenario, deployment, context: { countStreams } })
    expect(deployed.error).toBeUndefined()
    return { said: stepOf(deployed, 'Drain the old version').said, left }
  }

  test('are waited for until there are none', async () => {
    expect(await drained([2, 1, 0, 9], 30)).toEqual({ said: [], left: [9] })
  })

  test('end with it once their time is up', async () => {
    expect((await drained([2], 0)).said).toEqual([
      '2 requests or WebSockets are still open after 0 s, and end with the old version',
    ])
  })
})

describe('what the old containers have printed', () => {
  const now = [old, { service: 'web', task: 42, slot: 'b' }]
  const listings = { 'list-containers': [listed([old]), listed(now)] }

  test.each([
    ['is reported where a part is not kept', { stdout: 'The output of web could not be kept: no reading\n' }],
    ['is reported where the server refuses', { exitCode: 1, stderr: 'no space left\n' }],
    [
      'is reported where reading takes too long',
      () => {
        throw new CommandStopped('timed_out')
      },
    ],
  ])('%s, and they go all the same', async (_, answer) => {
    const deployed = await deployOnFakeHost({ ...scenario, answers: { ...listings, 'keep-output': answer } })
    expect(deployed.error).toBeUndefined()
    expect(deployed.afterwards.said).toEqual([
      expect.stringMatching(
        /^(The output of web could not be kept|What containers have printed .*(no space|too long))/,
      ),
    ])
    expect(deployed.afterwards.lines).toContain('remove-containers web-of-41')
  })

  test('is not read before the new version serves', async () => {
    const deployed = await deployOnFakeHost({ ...scenario, answers: listings })
    expect(deployed.steps.flatMap(({ lines }) => lines).filter((line) => line.startsWith('keep-output'))).toEqual([])
  })
})

test('nothing is drained where nothing was replaced', async () => {
  const { steps } = await deployOnFakeHost({ services })
  expect(steps.at(-3)?.name).toBe('Switch routes')
})

test('what cannot be taken away is said, and the deployment serves all the same', async () => {
  const unreachable = () => {
    throw new ServerUnreachable('connect', 'The server does not answer')
  }
  const deployed = await deployOnFakeHost({ ...scenario, answers: { 'rm -rf': unreachable } })
  expect(deployed.error).toBeUndefined()
  expect(stepOf(deployed, 'Remove the old version').said).toEqual([
    'What is left over could not be removed now: The server does not answer',
    'The deployment serves all the same; the platform removes it later',
  ])
})

test('containers that stay are no failure of the deployment, but of what comes after it', async () => {
  const now = [old, { service: 'web', task: 42, slot: 'b' }]
  const answers = {
    'remove-containers': { exitCode: 1, stderr: 'no\n' },
    'list-containers': [listed([old]), listed(now)],
  }
  await expect(deployOnFakeHost({ ...scenario, answers })).rejects.toThrow('Containers cannot be removed')
})
