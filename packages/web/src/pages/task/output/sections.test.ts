import type { Step } from '@shipway/api'
import { expect, test } from 'vitest'
import { RowIndex } from '../../../components/output/row-index.ts'
import { LineStore } from '../../../data/log/line-store.ts'
import { stepsOf } from '../steps/steps.ts'
import { sectionOfLine, sectionsOf } from './sections.ts'

const LOG = '==> Prepare: Fetch\nfetching\nfetched\n==> Prepare: Check\n==> Start: Release\nreleasing'

function storeOf(text: string): LineStore {
  const store = new LineStore()
  store.append(text, new TextEncoder().encode(text).length)
  return store
}

const after = (text: string, log: string): number => log.indexOf(text) + text.length
const stepAt = (name: string, from: number): Step => ({
  name,
  status: 'succeeded',
  started_at: null,
  duration_ms: null,
  exit_code: null,
  message: null,
  output: { from, to: null },
})
const stepsAt = (...steps: Step[]) =>
  stepsOf({ phases: [{ name: 'Any', status: 'succeeded', started_at: null, duration_ms: null, steps }] })
const steps = stepsAt(
  stepAt('Fetch', after('Fetch\n', LOG)),
  stepAt('Check', after('Check\n', LOG)),
  stepAt('Release', after('Release\n', LOG)),
)

function shownRows(rows: RowIndex): readonly (string | number | undefined)[] {
  return Array.from({ length: rows.count }, (_, at) => {
    const row = rows.at(at)
    return row?.type === 'fold' ? row.section.key : row?.line
  })
}

test('each step has its lines without the heading lines', () => {
  const { before, sections } = sectionsOf(steps, storeOf(LOG))
  expect(before).toBe(0)
  expect(sections.map(({ key, first, end }) => [key, first, end])).toEqual([
    ['fetch', 1, 3],
    ['check', 4, 4],
    ['release', 5, 6],
  ])
})

test('a step without output yet has no lines', () => {
  const { sections } = sectionsOf(steps, storeOf('==> Prepare: Fetch\nfetch'))
  expect(sections.map(({ first, end }) => end - first)).toEqual([1, 0, 0])
})

test('unfinished output keeps its line, although the next heading shares it', () => {
  const log = '==> A: One\nno newline==> A: Two\ntwo\n'
  const shared = stepsAt(stepAt('One', after('One\n', log)), stepAt('Two', after('Two\n', log)))
  const { sections } = sectionsOf(shared, storeOf(log))
  expect(sections.map(({ first, end }) => [first, end])).toEqual([
    [1, 2],
    [2, 3],
  ])
})

test('rows are folds and the lines of open folds', () => {
  const sections = sectionsOf(steps, storeOf(LOG))
  const rows = new RowIndex(sections, 0, ({ key }) => key !== 'fetch')
  expect(shownRows(rows)).toEqual(['fetch', 'check', 'release', 5])
  const open = new RowIndex(sections, 0, () => true)
  expect(shownRows(open)).toEqual(['fetch', 1, 2, 'check', 'release', 5])
  expect(open.at(6)).toBeUndefined()
  expect([open.rowOfLine(2), rows.rowOfLine(2), open.rowOfFold('release')]).toEqual([2, undefined, 4])
  expect(sectionOfLine(sections, 2)?.key).toBe('fetch')
  expect(new Set(shownRows(open).map((_, row) => open.keyOf(row))).size).toBe(6)
})

test('without steps all lines are shown', () => {
  expect(shownRows(new RowIndex(sectionsOf([], storeOf('a\nb\n')), 0, () => false))).toEqual([0, 1])
})

test('a line keeps its key when lines above it are unfolded', () => {
  const sections = sectionsOf(steps, storeOf(LOG))
  const folded = new RowIndex(sections, 0, ({ key }) => key === 'release')
  const open = new RowIndex(sections, 0, () => true)
  expect(folded.keyOf(3)).toBe(open.keyOf(5))
})

test('with equal heights, rows map to offsets and back', () => {
  const heights = { line: 10, fold: 25, extraOf: () => 0 }
  const rows = new RowIndex(sectionsOf(steps, storeOf(LOG)), 0, () => true)
  const tops = Array.from({ length: rows.count + 1 }, (_, row) => rows.topOf(row, heights))
  expect(tops).toEqual([0, 25, 35, 45, 70, 95, 105])
  for (let depth = 0; depth < 105; depth++) {
    const row = rows.rowAt(depth, heights)
    expect([tops[row] ?? Number.NaN, tops[row + 1] ?? Number.NaN]).toSatisfy(
      ([top = 0, bottom = 0]: number[]) => top <= depth && depth < bottom,
    )
  }
  expect([rows.rowAt(-5, heights), rows.rowAt(10_000, heights)]).toEqual([0, 5])
})

test('wrapped lines push down the rows below them', () => {
  const extraOf = (first: number, end: number): number => (first <= 2 && end > 2 ? 30 : 0)
  const heights = { line: 10, fold: 25, extraOf }
  const rows = new RowIndex(sectionsOf(steps, storeOf(LOG)), 0, () => true)
  expect(Array.from({ length: rows.count + 1 }, (_, row) => rows.topOf(row, heights))).toEqual([
    0, 25, 35, 75, 100, 125, 135,
  ])
  expect([34, 35, 74, 75].map((depth) => rows.rowAt(depth, heights))).toEqual([1, 2, 2, 3])
})
