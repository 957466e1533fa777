// Each field of a delivery missing, or of another kind, one after the other: what is left can be stored, or leads to nothing.
import { expect, test } from 'vitest'
import { dialects } from '../../../test/git-host-dialects.ts'
import { bitbucket } from './bitbucket.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { Unused } from './webhook-dialect.ts'

const translators = { github, gitlab, gitea, bitbucket }

const values = [
  ...[
    undefined,
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e21,
    1e308,
    2 ** 31,
    '',
    '1',
    'x',
    '\0',
    '\ud800',
    '\u202e',
    '\u001b[2J',
  ],
  ...[
    '0'.repeat(40),
    'a'.repeat(40),
    'refs/heads/main',
    '../x',
    '__proto__',
    'x'.repeat(100_000),
    [],
    [null],
    [[]],
    {},
  ],
  ...['9999999-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', 'constructor', 'BRANCH', 'branch'],
]

/** Every field, at whatever depth, by its path. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}

function alter(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to
  if (Array.isArray(value)) return value.map((inner, index) => (String(index) === key ? alter(inner, rest, to) : inner))
  const fields = Object.entries(value ?? {})
  return Object.fromEntries(fields.map(([name, inner]) => [name, name === key ? alter(inner, rest, to) : inner]))
}

/** Every text and number of it, at whatever depth. */
const leavesOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]

const isStorable = (leaf: unknown): boolean =>
  typeof leaf === 'string'
    ? leaf.isWellFormed() && !leaf.includes('\0') && leaf.length <= 2000
    : leaf === null || typeof leaf === 'boolean' || Number.isSafeInteger(leaf)

const deliveries = dialects.flatMap((dialect) => [
  { kind: 'push', dialect, delivery: dialect.push({ branch: 'main', sha: 'a'.repeat(40) }) },
  { kind: 'pull request', dialect, delivery: dialect.pullRequest({}) },
])

test.each(deliveries)('a $kind of $dialect.name with one field altered', ({ dialect, delivery }) => {
  const translator = translators[dialect.repository_host]
  const payload: unknown = JSON.parse(JSON.stringify(delivery.payload))
  let taken = 0
  for (const path of pathsOf(payload)) {
    for (const value of values) {
      try {
        const { repository, events } = translator.translate(delivery.event, alter(payload, path, value))
        const stored = { id: repository?.id ?? null, events }
        expect(
          leavesOf(stored).filter((leaf) => !isStorable(leaf)),
          `${path.join('.')} = ${String(value)}`,
        ).toEqual([])
        expect(events.length).toBe(1)
        taken += 1
      } catch (error) {
        if (!(error instanceof Unused)) throw error
      }
    }
  }
  expect(taken).toBeGreaterThan(0)
})
