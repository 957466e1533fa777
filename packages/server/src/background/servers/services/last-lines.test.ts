// Values of variables are hidden in the last lines of a service, wherever what was read of its output begins.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import { buildLiveEnvironment } from '../../../../test/live-environment.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import { openMask } from '../../../runner/open-secrets.ts'
import { readLastOutput } from '../../../runtimes/compose/services/inspect-containers.ts'
import type { Mask } from '../../../secrets/mask.ts'
import { lastLinesOf } from './last-lines.ts'

const READ_BYTES = 128 * 1024
/** No two places in it look alike. */
const value = Array.from({ length: 400 }, (_, at) => `key-${at * 7919}.`).join('')

describe.each(databases)('the last lines of a service on $name', (source) => {
  let app: TestApp
  let live: Awaited<ReturnType<typeof buildLiveEnvironment>>
  let mask: Mask | undefined

  beforeAll(async () => {
    app = await openTestApp(source)
    live = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_001 })
    await setVariables({ KEY: value })
    mask = await open()
  })
  afterAll(() => app.close())

  const setVariables = (set: Readonly<Record<string, string>>) =>
    app.call('PATCH', `/api/environments/${live.environment.id}/variables`, { as: live.owner, body: { set } })
  const open = () => openMask(app.ctx, { id: live.environment.id, projectId: live.project.id, isFork: false })
  const linesOf = (printed: Buffer) => {
    const known = mask
    if (!known) throw new Error('There is no mask')
    const answer = { exitCode: 0, stdout: printed, stderr: Buffer.alloc(0) }
    const host = { ...createLocalHost('this machine'), run: async () => answer }
    return readLastOutput(host, 'a'.repeat(64)).then((output) => lastLinesOf(output, known))
  }

  test.each(['\n', ' '])(
    'show no half of a value where the output was cut off in it, between %j',
    async (separator) => {
      const all = `${value}${separator}`.repeat(1 + READ_BYTES / value.length)
      for (let more = 0; more < value.length; more += 797) {
        const printed = Buffer.from(`${all}${'.'.repeat(more)}`).subarray(-READ_BYTES)
        expect(await linesOf(printed)).not.toMatch(/[0-9]|key/)
      }
    },
  )

  test('show no value between whose characters zeros stood', async () => {
    expect(await linesOf(Buffer.from(`The key is ${value}`, 'utf16le'))).toBe('The key is [hidden]')
  })

  test('are all that a service printed, where that is little', async () => {
    expect(await linesOf(Buffer.from(`no database\n${value}\n`))).toBe('no database\n[hidden]')
    expect(await linesOf(Buffer.from('\n'))).toBeNull()
  })

  test('are not read where masking the values in them would take long in every check', async () => {
    await setVariables({ LONG: 'x'.repeat(16 * 1024) })
    expect(await open()).toBeUndefined()
    await setVariables({ LONG: 'short again' })
    expect(await open()).toBeDefined()
  })
})
