import { expect, test } from 'vitest'
import type { News } from '../domain/news.ts'
import { createBus } from './bus.ts'

const queue: News = { about: 'queue' }

test('a listener that fails keeps the news from nobody, and takes nothing back', () => {
  const carried: (readonly News[])[] = []
  const faults: unknown[] = []
  const heard: News[] = []
  const bus = createBus({ carry: (news) => carried.push(news), onFault: (error) => faults.push(error) })
  const fault = new Error('no')
  bus.listen(() => {
    throw fault
  })
  bus.listen((news) => heard.push(news))
  bus.announce([queue])
  expect([heard, carried, faults]).toEqual([[queue], [[queue]], [fault]])
})

test('what others tell is not carried back to them, and nobody hears after the end', () => {
  const carried: (readonly News[])[] = []
  const heard: News[] = []
  const bus = createBus({ carry: (news) => carried.push(news) })
  const end = bus.listen((news) => heard.push(news))
  bus.hear([queue])
  end()
  bus.hear([queue])
  bus.announce([])
  expect([heard, carried]).toEqual([[queue], []])
})
