import { expect, test } from 'vitest'
import { tableLines } from './table.ts'
import { widthOf } from './width.ts'

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
})

const tasks = {
  head: ['TASK', 'KIND', 'STATE', 'COMMIT', 'STARTED BY', 'WHEN', 'TOOK'],
  rows: [
    [
      '1487',
      'deploy',
      'failed · Wait for api',
      '4be1c07 Validate postal codes per country',
      'Ada',
      '9 minutes ago',
      '3:04',
    ],
    ['1486', 'deploy', 'succeeded', 'e6b1f08 Use the new address', 'Grace Hopper', '26 minutes ago', '51.7 s'],
  ],
}

test('the other columns stay whole while the widest can give way', () => {
  expect(tableLines(tasks, 100)).toEqual([
    '  TASK   KIND     STATE                   COMMIT              STARTED BY     WHEN             TOOK',
    '  1487   deploy   failed · Wait for api   4be1c07 Validate…   Ada            9 minutes ago    3:04',
    '  1486   deploy   succeeded               e6b1f08 Use the …   Grace Hopper   26 minutes ago   51.7 s',
  ])
  expect(tableLines(tasks, 80)).toEqual([
    '  TASK   KIND     STATE        COMMIT     STARTED BY     WHEN             TOOK',
    '  1487   deploy   failed · …   4be1c07…   Ada            9 minutes ago    3:04',
    '  1486   deploy   succeeded    e6b1f08…   Grace Hopper   26 minutes ago   51.7 s',
  ])
})

test.each([120, 100, 80, 60, 40, 30])('no line is wider than a window of %i columns', (columns) => {
  for (const each of [table, tasks]) {
    for (const line of tableLines(each, columns)) expect(widthOf(line)).toBeLessThanOrEqual(columns)
  }
})
