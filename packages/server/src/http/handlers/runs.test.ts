// One-off commands through the API, until they are tasks.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildLiveEnvironment } from '../../../test/live-environment.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

describe.each(databases)('one-off commands on $name', (source) => {
  const app = stageApp(source)

  test.each(['', 'a b', 'web\u0000', '\ud800', 'web\u202e', 'web\n', '../web'])(
    'the service %j is refused, and no task is stored',
    async (service) => {
      const { owner, environment } = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_000 })
      const body = { command: ['id'], service }
      expect(await app.call('POST', `/api/environments/${environment.id}/runs`, { as: owner, body })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/service', code: 'invalid_service' }] },
      })
    },
  )

  test('names its service as Compose does', async () => {
    const { owner, environment } = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_000 })
    const body = { command: ['id'], service: 'Web_1.api-2' }
    expect(await app.call('POST', `/api/environments/${environment.id}/runs`, { as: owner, body })).toMatchObject({
      status: 201,
      body: { kind: 'run', service: 'Web_1.api-2' },
    })
  })
})
