// Who is let in with a delivery, and how much of theirs is under way at once.
import { beforeAll, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildHookedProject } from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { createAdmission } from './admission.ts'

const [source] = databases
if (!source) throw new Error('There is always the embedded database')

const KIB = 1024
const MIB = 1024 * KIB
const ample = { inAll: 1000, perKey: 1000 }
const wide = { places: ample, bytes: { inAll: 64 * MIB, perKey: 64 * MIB } }

const app = stageApp(source, { refusedDeliveriesPerMinute: 5 })
let hook: string

beforeAll(async () => {
  hook = (await buildHookedProject(app.ctx)).hook_id
})

const open = (limits: Partial<Parameters<typeof createAdmission>[1]> = {}) =>
  createAdmission(app.ctx, { perAddress: 1000, perHook: 1000, known: wide, unknown: wide, ...limits })
const busy = { code: 'unavailable', headers: { 'retry-after': '10' } }
const limited = { code: 'rate_limited', headers: { 'retry-after': '60' } }

test('so many deliveries a minute from one address, to whatever hooks', async () => {
  const letIn = open({ perAddress: 2 })
  await letIn('a', hook)
  await letIn('a', 'nobody')
  await expect(letIn('a', hook)).rejects.toMatchObject(limited)
  await letIn('b', hook)
  app.moveClock(60_000)
  await letIn('a', hook)
})

test('so many genuine ones a minute for one hook, by their size; those that were refused take nothing from them', async () => {
  const letIn = open({ perHook: 5 })
  const guest = await letIn('a', hook)
  guest.countRefused(100 * MIB)
  guest.countGenuine(4 * 256 * KIB)
  const other = await letIn('b', hook)
  other.countGenuine(1)
  expect(() => other.countGenuine(1)).toThrow('Too many requests')
})

test('refusals are counted by address and hook, and refusals for unknown hooks by address, by their size', async () => {
  const letIn = open()
  const known = await letIn('a', hook)
  known.countRefused(4 * MIB)
  known.countRefused(1)
  await expect(letIn('a', hook)).rejects.toMatchObject(limited)
  const unknown = await letIn('a', 'nobody')
  for (let count = 0; count < 5; count++) unknown.countRefused(1)
  await expect(letIn('a', 'somebody')).rejects.toMatchObject(limited)
  await letIn('b', hook)
  await letIn('b', 'nobody')
})

test('so many are under way at once, in all and from one address; who leaves makes room', async () => {
  const letIn = open({ known: { ...wide, places: { inAll: 3, perKey: 2 } } })
  const first = await letIn('a', hook)
  await letIn('a', hook)
  await expect(letIn('a', hook)).rejects.toMatchObject(busy)
  await letIn('b', hook)
  await expect(letIn('c', hook)).rejects.toMatchObject(busy)
  // Strangers have places of their own.
  await letIn('c', 'nobody')
  first.leave()
  await letIn('c', hook)
})

test('so many bytes of large bodies are under way at once; small ones always get through', async () => {
  const letIn = open({ known: { ...wide, bytes: { inAll: 3 * MIB, perKey: 2 * MIB } } })
  const [first, second, third] = [await letIn('a', hook), await letIn('a', hook), await letIn('b', hook)]
  first.take({ arrived: 2 * MIB, inAll: 2 * MIB })
  expect(() => second.take({ arrived: 1 * MIB, inAll: 1 * MIB })).toThrow('Too many deliveries')
  third.take({ arrived: 1 * MIB, inAll: 1 * MIB })
  expect(() => third.take({ arrived: 64 * KIB, inAll: 2 * MIB })).toThrow('Too many deliveries')
  second.take({ arrived: 64 * KIB, inAll: 256 * KIB })
  first.leave()
  second.take({ arrived: 1 * MIB, inAll: 2 * MIB })
})

test('a body beyond what an unknown hook may bring is refused in the words of a wrong signature, from its announcement', async () => {
  const letIn = open()
  const [known, unknown] = [await letIn('a', hook), await letIn('b', 'nobody')]
  unknown.take({ arrived: 0, inAll: MIB })
  expect(() => unknown.take({ arrived: 0, inAll: MIB + 1 })).toThrow('not signed with the webhook secret')
  known.take({ arrived: 0, inAll: 25 * MIB })
  expect(() => known.take({ arrived: 0, inAll: 25 * MIB + 1 })).toThrow('at most 25 MB')
})
