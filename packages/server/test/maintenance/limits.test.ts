// docs/limits.md says what the code does: each row names a setting or a constant, whose value is compared.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const rows = read('docs/limits.md')
  .split('\n')
  .filter((line) => /^\| [^-w]|^\| w(?!hat \|)/.test(line))
const cellsOf = (row: string): readonly string[] => row.split('|').map((cell) => cell.trim())

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  days: 86_400_000,
}

test.each(rows)('%s', (row) => {
  const [, , limit = '', where = ''] = cellsOf(row)
  if (limit === 'no limit') return expect(isOptional(where.replaceAll('`', ''))).toBe(true)
  const [, number = '', unit = ''] = /^([0-9]+) ?([A-Za-z]*)$/.exec(limit) ?? []
  const value = /^`SHIPWAY_/.test(where) ? defaultOf(where.replaceAll('`', '')) : constantOf(where)
  expect(value).toBe(Number(number) * (UNITS[unit] ?? Number.NaN))
})

test('every setting with a number is on the page', () => {
  const names = [
    ...read('packages/server/src/config.ts').matchAll(
      /^ {2}(SHIPWAY_[A-Z_]+): setting\((?:minutes|z\.coerce\.number)/gm,
    ),
  ]
  const missing = names
    .map(([, name = '']) => name)
    .filter((name) => name !== 'SHIPWAY_PORT' && !rows.some((row) => row.includes(`\`${name}\``)))
  expect(missing).toEqual([])
  expect(names.length).toBeGreaterThan(10)
})

const isOptional = (name: string): boolean =>
  new RegExp(`^ {2}${name}: .*\\.optional\\(\\)\\),$`, 'm').test(read('packages/server/src/config.ts'))

function defaultOf(name: string): number {
  const [, number = ''] =
    new RegExp(`^ {2}${name}: .*\\.default\\(([0-9_]+)\\)`, 'm').exec(read('packages/server/src/config.ts')) ?? []
  return Number(number.replaceAll('_', '') || Number.NaN)
}

/** A product of numbers, as constants are written. */
function constantOf(where: string): number {
  const [, path = '', name = ''] = /^`([^`]+)` `([A-Z_]+)`/.exec(where) ?? []
  const [, text = ''] = new RegExp(`^(?:export )?const ${name} = ([0-9_* ]+)$`, 'm').exec(read(path)) ?? []
  return text.split(/ \* /).reduce((product, factor) => product * powerOf(factor.replaceAll('_', '')), 1)
}

function powerOf(text: string): number {
  const [base = '', exponent = '1'] = text.split(' ** ')
  return base === '' ? Number.NaN : Number(base) ** Number(exponent)
}
