import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { databases } from '../databases.ts'
import { stageApp } from '../stage/stage-app.ts'

const [database] = databases
if (!database) throw new Error('There is no database')
const app = stageApp(database, { metricsAreOpen: true })

const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })).min(10),
})

test('every metric of the Grafana dashboard is one that the platform exposes', async () => {
  const file = join(import.meta.dirname, '../../../../deploy/grafana/shipway.json')
  const { panels } = Dashboard.parse(JSON.parse(readFileSync(file, 'utf8')))
  const { text } = await app.call('GET', '/metrics')
  const measured = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', kind]) => namesOf(name, kind)),
  )
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => [...expr.matchAll(/\b([a-z_]+)\{/g)].map(([, name = '']) => name)),
  )
  expect(asked.length).toBeGreaterThanOrEqual(panels.length)
  expect(asked.filter((name) => !measured.has(name))).toEqual([])
  expect([...measured].filter((name) => name.startsWith('shipway_')).length).toBeGreaterThan(5)
})

const namesOf = (name: string, kind: string | undefined): readonly string[] =>
  kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
