import { expect, test } from 'vitest'
import type { ChangeEvent } from '../domain/change-event.ts'
import { createBus } from './bus.ts'

const queue: ChangeEvent = { about: 'queue' }

test('a failing listener neither stops the others nor undoes the change', () => {
  const carried: (readonly ChangeEvent[])[] = []
  const faults: unknown[] = []
  const received: ChangeEvent[] = []
  const bus = createBus({ carry: (event) => carried.push(event), onFault: (error) => faults.push(error) })
  const fault = new Error('no')
  bus.listen(() => {
    throw fault
  })
  bus.listen((event) => received.push(event))
  bus.announce([queue])
  expect([received, carried, faults]).toEqual([[queue], [[queue]], [fault]])
})

test('events of other processes are not sent back, and a listener gets none after it ended', () => {
  const carried: (readonly ChangeEvent[])[] = []
  const received: ChangeEvent[] = []
  const bus = createBus({ carry: (event) => carried.push(event) })
  const end = bus.listen((event) => received.push(event))
  bus.receive([queue])
  end()
  bus.receive([queue])
  bus.announce([])
  expect([received, carried]).toEqual([[queue], []])
})
