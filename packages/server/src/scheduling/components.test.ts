import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Component, startComponents, stopComponents, stopTogether } from './components.ts'

/** Records its calls. Each takes a turn of the event loop. */
function recordingParts(log: string[]) {
  const record = async (what: string): Promise<void> => {
    log.push(`${what} begins`)
    await turn()
    log.push(`${what} ends`)
  }
  return (name: string): Component => ({ start: () => record(`start ${name}`), stop: () => record(`stop ${name}`) })
}

test('components start one after the other, and stop in reverse order', async () => {
  const log: string[] = []
  const part = recordingParts(log)
  const parts = [part('a'), {}, part('b')]
  await startComponents(parts)
  await stopComponents(parts)
  expect(log).toEqual([
    ...['start a begins', 'start a ends', 'start b begins', 'start b ends'],
    ...['stop b begins', 'stop b ends', 'stop a begins', 'stop a ends'],
  ])
})

test('a component that fails to start keeps later ones from starting', async () => {
  const log: string[] = []
  const broken = { start: () => Promise.reject(new Error('broken')) }
  await expect(startComponents([broken, recordingParts(log)('a')])).rejects.toThrow('broken')
  expect(log).toEqual([])
})

test('grouped components start in order and stop at the same time', async () => {
  const log: string[] = []
  const part = recordingParts(log)
  const both = stopTogether([part('a'), part('b')])
  await both.start()
  log.length = 0
  await both.stop()
  expect(log).toEqual(['stop a begins', 'stop b begins', 'stop a ends', 'stop b ends'])
})

test('all components stop even if one fails, and its error is thrown', async () => {
  const log: string[] = []
  const part = recordingParts(log)
  const broken: Component = {
    stop: () => {
      throw new Error('broken')
    },
  }
  await expect(stopComponents([part('a'), stopTogether([broken, part('b')]), part('c')])).rejects.toThrow('broken')
  expect(log.filter((line) => line.endsWith('ends'))).toEqual(['stop c ends', 'stop b ends', 'stop a ends'])
})
