import { expect, test } from 'vitest'
import { tableLines } from './table.ts'

const table = {
  head: ['NAME', 'ADDRESS'],
  rows: [
    ['staging', 'staging.books.example'],
    ['漢字', 'x'],
  ],
}

test('columns are as wide as their content', () => {
  expect(tableLines(table, undefined)).toEqual([
    '  NAME      ADDRESS',
    '  staging   staging.books.example',
    '  漢字      x',
  ])
})

test('in a window the widest column is cut', () => {
  expect(tableLines(table, 24)).toEqual(['  NAME      ADDRESS', '  staging   staging.boo…', '  漢字      x'])
  expect(tableLines(table, 5).map((line) => line.length)).toEqual([17, 17, 10])
})
