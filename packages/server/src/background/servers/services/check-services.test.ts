// What a server tells of its containers is taken up to a number, however many it invents.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import { buildLiveEnvironment } from '../../../../test/live-environment.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import { checkServices } from './check-services.ts'

describe.each(databases)('a check of the services of a server on $name', (source) => {
  let app: TestApp
  beforeAll(async () => {
    app = await openTestApp(source)
  })
  afterAll(() => app.close())

  test('takes no more services of an environment than a compose file has, though the server invents others each time', async () => {
    const live = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_001 })
    let round = 0
    const answer = (): string => {
      const containers = Array.from({ length: 1_000 }, (_, at) =>
        JSON.stringify({
          id: String(at).padStart(64, '0'),
          status: 'running',
          said: 'Up 2 hours',
          environment: String(live.environment.id),
          service: `invented-${round}-${at}`,
          task: '1',
          slot: '',
        }),
      )
      return [...containers, 'port 20001 200 0.1'].join('\n')
    }
    const host = {
      ...createLocalHost('this machine'),
      run: async () => ({ exitCode: 0, stdout: Buffer.from(answer()), stderr: Buffer.alloc(0) }),
    }
    for (; round < 2; round++)
      await checkServices(app.ctx, { server: { id: live.serverId, runtime: 'compose' }, host, counts: new Map() })
    const services = app.ctx.db.selectFrom('services').where('environment_id', '=', live.environment.id)
    expect((await services.select('name').execute()).length).toBeLessThanOrEqual(200)
  })
})
