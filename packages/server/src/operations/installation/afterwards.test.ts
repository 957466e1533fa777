import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createAfterwards } from './afterwards.ts'

function build() {
  const lines: string[] = []
  return { lines, afterwards: createAfterwards(pino({}, { write: (line: string) => void lines.push(line) })) }
}

test('finished waits for what is under way, and for what that starts in turn', async () => {
  const { afterwards } = build()
  const done: string[] = []
  afterwards.run(async () => {
    await Promise.resolve()
    afterwards.run(async () => {
      await Promise.resolve()
      done.push('second')
    })
    done.push('first')
  })
  expect(done).toEqual([])
  await afterwards.finished()
  expect(done).toEqual(['first', 'second'])
})

test('nothing of it is begun before what was at hand is done, such as sending the answer', async () => {
  const { afterwards } = build()
  const done: string[] = []
  afterwards.run(async () => void done.push('afterwards'))
  for (let count = 0; count < 1000; count++) await Promise.resolve()
  await new Promise<void>((resolve) => process.nextTick(resolve))
  done.push('answered')
  await afterwards.finished()
  expect(done).toEqual(['answered', 'afterwards'])
})

test('what fails is logged, at once or later, and stops nothing else', async () => {
  const { afterwards, lines } = build()
  const done: string[] = []
  afterwards.run(() => {
    throw new Error('failed at once')
  })
  afterwards.run(() => Promise.reject(new Error('failed later')))
  afterwards.run(async () => void done.push('third'))
  await afterwards.finished()
  expect(done).toEqual(['third'])
  expect(lines.map((line) => JSON.parse(line).err.message).sort()).toEqual(['failed at once', 'failed later'])
})
