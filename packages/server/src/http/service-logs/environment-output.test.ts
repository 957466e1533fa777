// The live end of an environment's logs: a fake server prints what each test says.
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment } from '../../../test/factories.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { openTestApp } from '../../../test/test-app.ts'
import type { Context } from '../../context.ts'
import type { ServiceLogs } from '../../remote/output/service-logs.ts'
import { createMask } from '../../secrets/mask.ts'
import { EnvironmentGone, EnvironmentOutput } from './environment-output.ts'
import { sendOutput } from './send-output.ts'

const [source] = databases
const BEGAN = 1_700_000_000
/** As long as a piece of a longer text, so that its end is waited for. */
const HELD = `2026-11-16T07:16:33.203343868Z web ${'x'.repeat(3500)}\n`

test('a text whose end is waited for while its environment is deleted ends the process, and harms no other', async () => {
  if (!source) throw new Error('There is no database for the tests')
  const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isDeleted = false
  const openLogMask: Context['openLogMask'] = async () => {
    if (!isDeleted) return createMask([])
    asked.resolve()
    throw new EnvironmentGone()
  }
  const follow: ServiceLogs['follow'] = async (_server, _environmentId, { onOutput }) => {
    await onOutput(Buffer.from(HELD))
    isDeleted = true
    output.forgetMask()
    await asked.promise
    // By then Node has reported an error that nothing handles.
    await nextTurn()
    return { kind: 'renew' }
  }
  const serviceLogs: ServiceLogs = { now: async () => BEGAN, read: async () => ({ kind: 'complete' }), follow }
  const { ctx, close } = await openTestApp(source, {}, { serviceLogs, openLogMask })
  const { id: environmentId, server_id: serverId } = await buildEnvironment(ctx, await buildOwnedProject(ctx))
  const output = new EnvironmentOutput(ctx, { environmentId, serverId }, gone.resolve)
  const unhandled: unknown[] = []
  const hear = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', hear)
  expect(await output.begin()).toBe(BEGAN)
  await gone.promise
  process.off('unhandledRejection', hear)
  expect(unhandled).toEqual([])
  output.stop()
  await close()
})

test('a database that is away for a moment ends no following', async () => {
  if (!source) throw new Error('There is no database for the tests')
  const printed = Promise.withResolvers<void>()
  let isAway = true
  const openLogMask: Context['openLogMask'] = async () => {
    if (!isAway) return createMask([])
    isAway = false
    throw new Error('The database is away')
  }
  const follow: ServiceLogs['follow'] = async (_server, _environmentId, { onOutput, signal }) => {
    await onOutput(Buffer.from('2026-11-16T07:16:33.203343868Z web one\n'))
    printed.resolve()
    await once(signal, 'abort')
    return { kind: 'renew' }
  }
  const serviceLogs: ServiceLogs = { now: async () => BEGAN, read: async () => ({ kind: 'complete' }), follow }
  const { ctx, logLines, close } = await openTestApp(source, {}, { serviceLogs, openLogMask })
  const { id: environmentId, server_id: serverId } = await buildEnvironment(ctx, await buildOwnedProject(ctx))
  const output = new EnvironmentOutput(ctx, { environmentId, serverId }, () => undefined)
  expect(await output.begin()).toBe(BEGAN)
  await printed.promise
  expect(output.ring.chunks.flatMap(({ lines }) => lines.map(({ text }) => text))).toEqual(['one'])
  expect(logLines.filter((line) => line.includes('could not be followed'))).toHaveLength(1)
  output.stop()
  await close()
})

test('an environment that was deleted before its logs are followed is not found', async () => {
  if (!source) throw new Error('There is no database for the tests')
  const { ctx, close } = await openTestApp(source)
  const topic = { name: 'environment:1:output', id: 1 } as const
  const output = new EnvironmentOutput(ctx, { environmentId: 1, serverId: 1 }, () => undefined)
  const writer = { send: () => undefined, sendInTurn: async () => undefined, room: async () => undefined }
  const { signal } = new AbortController()
  expect(await sendOutput({ ctx, topic, options: {}, writer }, output, { from: undefined, signal })).toEqual({
    kind: 'fault',
    code: 'not_found',
    detail: 'The environment or its server was deleted',
  })
  await close()
})
