// Two hours, two days and a month of samples for the gallery and the screen tests, written beside the platform into its database.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

type Sampled = {
  readonly dataFolder: string
  readonly environmentId: number
  readonly serverIds: readonly number[]
  /** In place of what was measured in the last minutes: a short write, since the platform writes, too. */
  readonly isRenewal?: boolean
}

const MIB = 1024 ** 2
const STEPS = [
  { step: 30, count: 239 },
  { step: 300, count: 575 },
  { step: 3600, count: 719 },
]
const RENEWED = [{ step: 30, count: 40 }]
const SERVICES = [
  { name: 'web', cpu: 340, memory: 190 * MIB, limit: 256 * MIB, network: 42_000 },
  { name: 'worker', cpu: 120, memory: 96 * MIB, limit: 256 * MIB, network: 9_000 },
  { name: 'db', cpu: 60, memory: 140 * MIB, limit: null, network: 15_000 },
]

export function writeSamples({ dataFolder, environmentId, serverIds, isRenewal = false }: Sampled): void {
  const database = new DatabaseSync(join(dataFolder, 'shipway.db'), { timeout: 10_000 })
  const ofService = database.prepare('insert or replace into service_samples values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const ofServer = database.prepare('insert or replace into server_samples values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null)')
  database.exec('begin immediate')
  for (const { step, count } of isRenewal ? RENEWED : STEPS) {
    const newest = Math.floor(Date.now() / (step * 1000)) * step * 1000
    for (let index = 0; index < count; index++) {
      const at = newest - index * step * 1000
      // A gap, as after an outage.
      if (!isRenewal && index > count * 0.7 && index < count * 0.73) continue
      const wave = (seed: number): number =>
        1 +
        0.35 * Math.sin(index / 17 + seed) +
        0.2 * Math.sin(index / 3.1 + seed * 7) +
        0.08 * Math.sin(index * 2.3 + seed)
      SERVICES.forEach(({ name, cpu, memory, limit, network }, seed) => {
        const figures = [
          cpu * wave(seed),
          memory * (0.9 + 0.15 * wave(seed + 3)),
          limit,
          network * wave(seed + 1),
          network * 2 * wave(seed + 2),
        ]
        const rounded = figures.map((value) => (value === null ? null : Math.round(value)))
        const kills = !isRenewal && name === 'worker' && index === Math.round(count / 3) ? 1 : 0
        ofService.run(environmentId, name, step, at, ...rounded, kills, kills)
      })
      const machine = [900 * wave(5), 4, 5.1e9 * (0.9 + 0.1 * wave(6)), 8.2e9, 130 * wave(7), 61e9 - index * 2e6, 100e9]
      for (const serverId of serverIds) ofServer.run(serverId, step, at, ...machine.map(Math.round))
    }
  }
  database.exec('commit')
  database.close()
}
