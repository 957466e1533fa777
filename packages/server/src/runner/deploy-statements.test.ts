// How much a deployment asks of PostgreSQL: each statement is a round trip, and each commit waits for the disk.
import { Client } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { runIt } from '../../test/deployments.ts'
import { followed } from '../../test/fake-host.ts'
import { postgresOnly } from '../../test/postgres-only.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageDeployment } from '../../test/stage/stage-deployment.ts'

describe.each(postgresOnly)('a deployment on $name', (source) => {
  const app = stageApp(source)
  const { lease, taskOf, stepsOf } = stageDeployment(app)

  test('takes few statements and fewer commits than two for a step', async () => {
    const asked = vi.spyOn(Client.prototype, 'query')
    await runIt(app.ctx, lease, { answers: { host: { follow: { stdout: followed('done\n') } } } })
    const texts = asked.mock.calls.map(([query]: readonly unknown[]) => (isQuery(query) ? query.text : String(query)))
    asked.mockRestore()
    expect((await taskOf()).status).toBe('succeeded')
    const steps = (await stepsOf()).length
    expect(steps).toBeGreaterThan(10)
    expect(texts.filter((text) => text === 'commit').length).toBeLessThan(steps * 1.7)
    expect(texts.length).toBeLessThan(steps * 12)
  })
})

const isQuery = (query: unknown): query is { readonly text: string } =>
  typeof query === 'object' && query !== null && 'text' in query
