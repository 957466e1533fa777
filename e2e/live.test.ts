// Whatever changes and whichever process dies: in the end each reader of the live channel has the same state as the API, and has received
// each byte of output once.
import { describe, expect, test } from 'vitest'
import { randomFrom } from './faults/plans.ts'
import { startPlatforms } from './faults/platforms.ts'
import { beginProject } from './journey.ts'
import { differences } from './live/differences.ts'
import { openScene, type Scene } from './live/moments.ts'

/** Set MOMENTS=500 for a longer run. */
const MOMENTS = Number(process.env.MOMENTS ?? 20)

describe.each([
  { name: 'the embedded database', count: 1 },
  { name: 'two platforms on PostgreSQL', count: 2 },
])('readers on $name', ({ count }) => {
  test(
    'believe in the end what is true',
    async () => {
      // Behind one proxy they have one address.
      const platforms = await startPlatforms(count, { SHIPWAY_BASE_URL: 'http://localhost:7878' })
      const { nodes, token } = platforms
      const project = await beginProject({ url: nodes[0]?.url ?? '', token, connection: 'local' })
      project.commit(REPOSITORY)
      const seed = Math.floor(Math.random() * 1e9)
      try {
        await readWhileItHappens({ nodes, token, projectId: project.projectId, chance: randomFrom(seed) })
      } catch (error) {
        throw new Error(`With the seed ${seed}`, { cause: error })
      } finally {
        await platforms.stop()
        await project.stop()
      }
    },
    300_000 + MOMENTS * 2_000,
  )
})

async function readWhileItHappens(scene: Scene): Promise<void> {
  const { client, readers, tasks, organizationId, next, settled } = await openScene(scene)
  try {
    for (let moment = 0; moment < MOMENTS; moment++) {
      await next()
      await new Promise((resolve) => setTimeout(resolve, scene.chance() * 150))
    }
    await settled()
    // By chance, no reader may have lost its connection so far.
    for (const reader of readers) reader.cut()
    const running = async () => {
      const all = await Promise.all(tasks.map((id) => client.getTask({ params: { id } })))
      return all.filter((task) => task.finished_at === null)
    }
    await expect.poll(running, { timeout: 120_000, interval: 500 }).toEqual([])
    const wrong = async () => {
      const places = { organizationId, projectId: scene.projectId }
      return (await Promise.all(readers.map(({ model }) => differences(client, model, places)))).flat()
    }
    await expect.poll(wrong, { interval: 500 }).toEqual([])
    expect(tasks.length).toBeGreaterThan(0)
    const isCounted = (what: 'recovered' | 'offline') => () => readers.some(({ model }) => model.counts[what] > 0)
    await expect.poll(isCounted('offline')).toBe(true)
    await expect.poll(isCounted('recovered')).toBe(true)
  } finally {
    for (const reader of readers) await reader.stop()
  }
}

const PRINT = `#!/bin/sh
line=1
while [ "$line" -le 10 ]; do
  echo "line $line of € and 日本"
  line=$((line + 1))
  sleep 0.05
done
`

const REPOSITORY = {
  '.service.yml':
    'services:\n  web: {}\nmanual:\n  deploy:\n    - { name: Print, run: ./print }\n    - { name: Print more, run: ./print }\n',
  print: PRINT,
}
