// The one request after the switch: it reports what a visitor gets, and an error becomes a warning.
import { describe, expect, test } from 'vitest'
import { deployOnFakeHost, stepOf } from '../../test/docker/fake-deployment.ts'

describe('the address after a docker deployment', () => {
  test('that answers leaves no warning', async () => {
    const { said, warnings } = stepOf(await deployOnFakeHost(), 'Check the address')
    expect({ said, warnings }).toEqual({ said: ['main.shop.example.com answers with 200'], warnings: [] })
  })

  test('that refuses its own name succeeds with a warning that names the setting', async () => {
    const visit = async () => ({ status: 400, text: 'DisallowedHost at /' })
    const deployed = await deployOnFakeHost({ context: { visit } })
    expect(deployed.error).toBeUndefined()
    expect(stepOf(deployed, 'Check the address').warnings).toEqual([
      'main.shop.example.com answers with 400: Django does not accept this name. Add it to ALLOWED_HOSTS. ' +
        'The variable SERVICE_DOMAIN holds the name',
    ])
  })

  test('without an answer is reported, without a warning', async () => {
    const deployed = await deployOnFakeHost({ context: { visit: async () => undefined } })
    const { said, warnings } = stepOf(deployed, 'Check the address')
    expect(said).toEqual(['main.shop.example.com gave no answer within two seconds'])
    expect(warnings).toEqual([])
  })

  test('is asked while the old version drains and goes', async () => {
    const { promise, resolve } = Promise.withResolvers<{ status: number; text: string }>()
    const countStreams = async () => {
      resolve({ status: 204, text: '' })
      return 0
    }
    const scenario = {
      containers: [{ service: 'web', task: 41, slot: 'a', ports: [20_000] }],
      deployment: { servingTaskId: 41, live: { taskId: 41, commitSha: 'b'.repeat(40) } },
      context: { visit: () => promise, countStreams },
    }
    const deployed = await deployOnFakeHost(scenario)
    expect(deployed.error).toBeUndefined()
    expect(deployed.steps.map(({ name }) => name)).toContain('Drain the old version')
    expect(stepOf(deployed, 'Check the address').said).toEqual(['main.shop.example.com answers with 204'])
  })
})
