// The sshd of the tests leaves nothing behind, also when the tests are killed while its connections are silent.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startChild } from './processes/child.ts'
import { hasSshd } from './sshd.ts'
import { until } from './steps.ts'

test.skipIf(!hasSshd)('connections that fell silent end when the tests are killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-silent-'))
  const child = startChild('pause-sshd.ts', folder)
  try {
    const pids = (await child.firstLine).split(' ')
    expect(pids.length).toBeGreaterThan(0)
    expect(pids.every((pid) => existsSync(`/proc/${pid}`))).toBe(true)
    await child.kill()
    await until(() => pids.every((pid) => !existsSync(`/proc/${pid}`)))
  } finally {
    await child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
})
