// `npm run installed`: on fresh machines with Debian and a real systemd, what people install: the installer, a kill, a backup, upgrades under
// load, versions that do not serve, and a reboot, for each part on a machine of its own. `npm run installed -- postgres restore` runs two of
// the parts. Prints what it saw; exit code 1 at the first thing that is not so.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeInstalledPlatform } from '../e2e/installed/installed-platform.ts'
import { startMachine } from '../e2e/installed/machine.ts'
import { makeReleases } from '../e2e/installed/releases.ts'
import { provePostgres } from './installed/postgres.ts'
import { proveRepair } from './installed/repair.ts'
import { proveRestore } from './installed/restore.ts'
import type { Scene } from './installed/scene.ts'
import { proveUpgrades } from './installed/upgrades.ts'
import { say } from './say.ts'

const PARTS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  upgrades: proveUpgrades,
  postgres: provePostgres,
  restore: proveRestore,
  repair: proveRepair,
}

const words = process.argv.slice(2)
assert.ok(
  words.every((word) => word in PARTS),
  `The parts are: ${Object.keys(PARTS).join(', ')}`,
)
const folder = mkdtempSync(join(tmpdir(), 'shipway-installed-'))
try {
  const make = await makeReleases(folder)
  for (const [name, prove] of Object.entries(PARTS)) {
    if (words.length > 0 && !words.includes(name)) continue
    const machine = await startMachine()
    say(`${name}: a machine with Debian and systemd is up`)
    try {
      await prove({ machine, platform: makeInstalledPlatform(machine, make) })
    } finally {
      await machine.stop()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
