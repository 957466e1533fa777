import { expect, test } from 'vitest'
import { needsOfAll, startOrder } from './start-order.ts'

type Words = readonly [
  name: string,
  level: number,
  mode: 'unchanged' | 'beside' | 'in_place' | 'one_shot',
  needs?: string,
]

const order = (all: readonly Words[], hasContainer = true) =>
  startOrder(
    all.map(([name, level, mode, needs = '']) => ({
      name,
      level,
      mode,
      hasContainer,
      dependsOn: needs.split(' ').filter(Boolean),
    })),
  ).map((stage) =>
    stage.type === 'start'
      ? `start ${stage.services.map(({ name }) => name).join(' ')}`
      : `recreate ${stage.service.name}`,
  )

test('what is recreated in place comes before what depends on it, through others too', () => {
  const services: Words[] = [
    ['db', 0, 'in_place'],
    ['migrate', 1, 'one_shot', 'db'],
    ['backend', 2, 'beside', 'migrate'],
    ['proxy', 3, 'beside', 'backend'],
  ]
  expect(order(services)).toEqual(['recreate db', 'start migrate', 'start backend', 'start proxy'])
})

test('what does not need it is ready before, and what nothing waits for comes last', () => {
  const services: Words[] = [
    ['db', 0, 'in_place'],
    ['files', 0, 'in_place'],
    ['cache', 0, 'beside'],
    ['docs', 1, 'beside', 'cache'],
    ['backend', 1, 'beside', 'db cache'],
    ['mail', 2, 'in_place', 'backend'],
  ]
  expect(order(services)).toEqual([
    ...['start cache', 'start docs', 'recreate db', 'start backend', 'recreate files', 'recreate mail'],
  ])
})

test('what is there for the first time is started with the others of its level', () => {
  const services: Words[] = [
    ['db', 0, 'in_place'],
    ['cache', 0, 'beside'],
    ['backend', 1, 'beside', 'db'],
  ]
  expect(order(services, false)).toEqual(['start db cache', 'start backend'])
})

test('what did not change is not started', () => {
  expect(
    order([
      ['db', 0, 'unchanged'],
      ['backend', 1, 'beside', 'db'],
    ]),
  ).toEqual(['start backend'])
})

test('what a command needs are the services that its own depends on, also through others and in a circle', () => {
  const services = [
    { name: 'web', dependsOn: ['api', 'cache'] },
    { name: 'api', dependsOn: ['db'] },
    { name: 'db', dependsOn: ['api'] },
    { name: 'cache' },
    { name: 'worker', dependsOn: ['web'] },
  ]
  expect([...needsOfAll(services, ['web'])].toSorted()).toEqual(['api', 'cache', 'db'])
  expect([...needsOfAll(services, [])]).toEqual([])
})
