import { expect, test } from 'vitest'
import { createStatementNames } from './statement-names.ts'

const use = (names: ReturnType<typeof createStatementNames>, text: string, times: number) =>
  Array.from({ length: times }, () => names.of(text).name).at(-1)

test('a text gets a name when it comes again, always the same one, and no other text has it', () => {
  const names = createStatementNames()
  expect(use(names, 'select 1', 3)).toBeUndefined()
  const name = use(names, 'select 1', 1)
  expect(name).toEqual(expect.any(String))
  expect(use(names, 'select 1', 5)).toBe(name)
  expect(use(names, 'select 2', 4)).not.toBe(name)
})

test('there are only so many names, and those that were given stay', () => {
  const names = createStatementNames()
  const first = use(names, 'select 0', 4)
  const given = Array.from({ length: 500 }, (_, at) => use(names, `select ${at}`, 5)).filter(Boolean)
  expect(new Set(given).size).toBe(200)
  expect(use(names, 'select 0', 1)).toBe(first)
})

test('texts without end that come once take no name from those that come again', () => {
  const names = createStatementNames()
  for (let at = 0; at < 10_000; at++) names.of(`select ${at}`)
  expect(use(names, 'select again', 4)).toEqual(expect.any(String))
})
