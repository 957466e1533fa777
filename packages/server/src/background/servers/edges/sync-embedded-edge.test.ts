// Which ports of its own machine the platform leads visitors to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import { type EmbeddedTestEdge, openEmbeddedEdge } from '../../../../test/embedded-edge.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
} from '../../../../test/factories.ts'
import { ask, type Loopback, serve } from '../../../../test/loopback.ts'
import { buildPorts } from '../../../../test/machine-records.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import { MAIN_SERVICE } from '../../../domain/service-domains.ts'
import { replaceRoutes } from '../../../store/environments/routes.ts'
import { syncEmbeddedEdge } from './sync-embedded-edge.ts'

describe.each(databases)('the edge inside the platform on $name', (source) => {
  let edge: EmbeddedTestEdge
  let app: TestApp
  let service: Loopback
  let asked = 0
  beforeAll(async () => {
    edge = await openEmbeddedEdge()
    service = await serve((_req, res) => {
      asked++
      res.end('a service of this machine')
    })
    app = await openTestApp(source, {}, { embeddedEdge: edge })
  })
  afterAll(async () => {
    await app.close()
    await edge.close()
    await service.close()
  })

  /** An environment whose route leads to the service, which may be its own or anybody's. */
  async function lead(connection: 'local' | 'ssh', allocate: 'allocated' | 'not allocated' | 'allocated to another') {
    const user = await buildUser(app.ctx)
    const { id: organizationId } = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const kind = connection === 'local' ? ({ connection, edge: 'embedded' } as const) : ({ connection } as const)
    const { id: serverId } = await buildServer(app.ctx, organizationId, kind)
    const project = await buildProject(app.ctx, { organizationId, ownerId: user.id, serverId })
    const [environment, other] = [await buildEnvironment(app.ctx, project), await buildEnvironment(app.ctx, project)]
    await app.ctx.db.deleteFrom('ports').execute()
    const owner = { allocated: environment.id, 'not allocated': undefined, 'allocated to another': other.id }[allocate]
    if (owner !== undefined)
      await buildPorts(app.ctx, serverId, [{ environment_id: owner, service: 'web', port: service.port }])
    const task = await buildTask(app.ctx, environment.id, { server_id: serverId })
    const routes = [{ service: MAIN_SERVICE, domain: environment.domain, port: service.port }]
    await app.ctx.change(PLATFORM, (tx) =>
      replaceRoutes(tx, { environmentId: environment.id, taskId: task.id, routes }),
    )
    return environment.domain
  }
  const visit = async (domain: string, ctx = app.ctx) => {
    asked = 0
    await syncEmbeddedEdge(ctx).refresh()
    const { text } = await ask(edge.port, domain)
    return { text, asked }
  }

  test('leads to a port that the environment was allocated', async () => {
    expect(await visit(await lead('local', 'allocated'))).toEqual({ text: 'a service of this machine', asked: 1 })
  })

  test.each(['not allocated', 'allocated to another'] as const)(
    'asks nothing at a port that was %s',
    async (allocate) => {
      const { text, asked } = await visit(await lead('local', allocate))
      expect([text, asked]).toEqual([expect.stringContaining('Nothing is deployed'), 0])
    },
  )

  test('does not answer for a server that is another machine, whatever it was allocated there', async () => {
    expect(await visit(await lead('ssh', 'allocated'))).toEqual({ text: 'platform', asked: 0 })
  })

  test("never asks the platform's own port, even if it was allocated before", async () => {
    const domain = await lead('local', 'allocated')
    const ctx = { ...app.ctx, config: { ...app.ctx.config, port: service.port } }
    expect((await visit(domain, ctx)).asked).toBe(0)
  })
})
