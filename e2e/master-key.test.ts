// Changes the platform's master key: it starts with both keys once, and only with the new one from then on.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../tools/free-port.ts'
import { startOurs, stopProcess } from '../tools/platform.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-master-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts and stops the platform, and returns its log. */
async function start(settings: Record<string, string>): Promise<string> {
  const lines: string[] = []
  const all = { SHIPWAY_DATA: folder, SHIPWAY_PORT: String(await freePort()), ...settings }
  await stopProcess(await startOurs(all, (line) => lines.push(line)))
  return lines.join('\n')
}

test('the previous key is needed until everything is encrypted again, and never after', {
  timeout: 120_000,
}, async () => {
  const previous = join(folder, 'master.key')
  const key = randomBytes(32).toString('base64')
  expect(await start({})).toContain('Listening on ')
  await expect(start({ SHIPWAY_MASTER_KEY: key })).rejects.toThrow('ended before it listened')
  const both = await start({ SHIPWAY_MASTER_KEY: key, SHIPWAY_MASTER_KEY_PREVIOUS_FILE: previous })
  expect(both).toContain('everything is sealed with the new master key')
  expect(both).not.toContain(key)
  expect(await start({ SHIPWAY_MASTER_KEY: key })).toContain('Listening on ')
  await expect(start({ SHIPWAY_MASTER_KEY_FILE: previous })).rejects.toThrow('ended before it listened')
})
