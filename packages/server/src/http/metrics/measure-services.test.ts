// Figures of services at /metrics, where the settings ask for them.
import { expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildLiveEnvironment } from '../../../test/live-environment.ts'
import { openTestApp } from '../../../test/test-app.ts'
import { insertServiceSamples } from '../../store/metrics/service-samples.ts'

test.each(databases)(
  'the newest sample of each service is exported on $name, and none if no scraper asks for it',
  async (source) => {
    for (const metricsOfEnvironments of [true, false]) {
      const app = await openTestApp(source, { metricsAreOpen: true, metricsOfEnvironments })
      try {
        const { environment } = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_000 })
        const sample = { environmentId: environment.id, cpu: 0.25, memoryBytes: 100, memoryLimitBytes: null }
        const rest = { networkIn: 5, networkOut: 6, restarts: 0, oomKills: 0 }
        await insertServiceSamples(app.ctx.db, app.ctx.clock(), [{ ...sample, ...rest, service: 'a"b' }])
        const read = async () =>
          (await app.call('GET', '/metrics')).text.split('\n').filter((line) => /^shipway_service_.*\{/.test(line))
        expect(await read()).toEqual([])
        app.moveClock(30_000)
        const lines = await read()
        if (!metricsOfEnvironments) expect(lines).toEqual([])
        else {
          const labels = new RegExp(
            `^shipway_service_cpu_cores\\{project=".+",environment="${environment.name}",service="a\\\\"b"\\} 0.25$`,
          )
          expect(lines).toHaveLength(4)
          expect(lines[0]).toMatch(labels)
        }
        app.moveClock(60_000)
        expect(await read()).toEqual([])
      } finally {
        await app.close()
      }
    }
  },
)
