// What counts as ordered from the ACME authority lately.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { insertPlacedOrder, listPlacedOrders } from './certificate-orders.ts'

describe.each(databases)('placed orders on $name', (source) => {
  const app = stageApp(source)

  test('count until their time is over, also when their organization is deleted', async () => {
    const owner = await buildUser(app.ctx)
    const { id: organizationId } = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    await insertPlacedOrder(app.ctx.db, { organizationId, at: 1000 })
    expect((await app.call('DELETE', `/api/organizations/${organizationId}`, { as: owner })).status).toBe(204)
    expect(await listPlacedOrders(app.ctx.db, 999)).toEqual([{ organizationId, at: 1000 }])
    expect(await listPlacedOrders(app.ctx.db, 1000)).toEqual([])
  })
})
