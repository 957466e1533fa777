import { describe, expect, test } from 'vitest'
import { leftServices, servingServices, withOwnSlots } from './serving-services.ts'

const version = (name: string, mode: string, task: number) => ({
  name,
  service: name.replace(/^r\d+-/, ''),
  mode,
  task,
})

describe('the services that serve', () => {
  // A Swarm lists services in no order of their versions: names may sort before and after those of releases.
  test.each([['api'], ['web']])(
    'are those of the serving version, also where %s was updated in place before',
    (name) => {
      const services = [version(name, 'in_place', 1), version(`r2-${name}`, 'beside', 2)]
      for (const listed of [services, services.toReversed()])
        expect(servingServices(listed, 2).get(name)).toBe(services[1])
    },
  )

  test('are those that all releases share, where the serving version has none of its own', () => {
    const services = [version('db', 'in_place', 1), version('r2-web', 'beside', 2), version('r1-web', 'beside', 1)]
    expect([...servingServices(services, 2).values()].map(({ name }) => name)).toEqual(['db', 'r2-web'])
  })
})

describe('services that are left', () => {
  const left = (services: readonly ReturnType<typeof version>[], serving: number | null) =>
    leftServices(services, serving).map(({ name }) => name)

  test('are those of versions that do not serve', () => {
    const services = [version('r1-web', 'beside', 1), version('r2-web', 'beside', 2), version('r3-web', 'beside', 3)]
    expect(left([...services, version('r2-job', 'one_shot', 2), version('db', 'in_place', 1)], 2)).toEqual([
      'r1-web',
      'r3-web',
      'r2-job',
    ])
    expect(left([version('new', 'in_place', 3), version('', 'one_off', 1)], 2)).toEqual(['new'])
    expect(left([version('db', 'in_place', 1)], null)).toEqual([])
  })

  test('are those that were updated in place before their service lost its volume', () => {
    const services = [version('web', 'in_place', 1), version('r2-web', 'beside', 2)]
    expect(left(services, 2)).toEqual(['web'])
    // The deployment without the volume failed.
    expect(left(services, 1)).toEqual(['r2-web'])
  })
})

test('a service that gets a volume is in another balance group than the version that serves', () => {
  const slotOf = (canRunTwice: boolean, live: { mode: string; slot: 'a' | 'b' } | undefined) => {
    const mode = canRunTwice ? ('beside' as const) : ('in_place' as const)
    const service = { name: 'web', mode, canRunTwice, slot: 'a' as 'a' | 'b' }
    return withOwnSlots([service], new Map(live ? [['web', live]] : []))[0]?.slot
  }
  expect(slotOf(false, { mode: 'beside', slot: 'a' })).toBe('b')
  expect(slotOf(false, { mode: 'beside', slot: 'b' })).toBe('a')
  expect(slotOf(false, { mode: 'in_place', slot: 'a' })).toBe('a')
  expect(slotOf(false, undefined)).toBe('a')
  expect(slotOf(true, { mode: 'in_place', slot: 'b' })).toBe('a')
})
