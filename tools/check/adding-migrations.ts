/**
 * An upgrade can be undone, and both versions meet on the same tables: a migration only adds. What the release in `OLDEST_RELEASE`
 * (store/migrate.ts) still uses is removed later, by a migration that names the release since which nothing uses it:
 *
 *   -- Unused since 1.16.0: the column colour.
 *
 * What only might stop the release before, such as a unique index on a column that it fills, is allowed with a line that says why it does not:
 *
 *   -- Harmless to the release before: it never writes the column colour.
 */
import { isOlderRelease } from '../../packages/server/src/domain/releases.ts'
import type { Problem, Rule } from './problem.ts'
import { lineAt, type SourceFile } from './source-file.ts'

/** The migrations of the first release that keeps the rule. */
const LAST_FREE = 44

/** What no reason makes harmless. */
const REMOVALS: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\s+(table|column)\b/gi, 'removes what the release before still uses'],
  [/\brename\b/gi, 'renames what the release before still uses'],
  [
    /\badd\s+column\s+\w+\s+[^;]*?\bnot\s+null\b(?![^;]*\bdefault\b)/gi,
    'adds a column that the release before does not fill: give it a default',
  ],
  [/\balter\s+column\b/gi, 'changes a column under the release before'],
]

/** What depends on what the release before writes and reads. The group is the table, where the statement names it. */
const RISKS: readonly (readonly [RegExp, string])[] = [
  [/\bcreate\s+unique\s+index\b[^;]*?\bon\s+(\w+)/gi, 'may refuse rows that the release before writes'],
  [/\balter\s+table\s+(\w+)\s+add\s+constraint\b/gi, 'may refuse rows that the release before writes'],
  [/\bdrop\s+(?:index|constraint)\b/gi, 'takes away what the release before may rely on'],
  [/(?<=(?:^|;)\s*)(?:update|delete\s+from)\s+(\w+)/gi, 'changes rows under the release before'],
]

export const addingMigrations: Rule = (files) => {
  const oldest = oldestRelease(files)
  return files.filter(({ path }) => numberOf(path) > LAST_FREE).flatMap((file) => problemsOf(file, oldest))
}

const numberOf = (path: string): number =>
  Number(/^packages\/server\/migrations\/(\d{4})-[^/]+\.sql$/.exec(path)?.[1] ?? 0)

function problemsOf({ path, text }: SourceFile, oldest: string | undefined): Problem[] {
  const [, unusedSince] = /^-- Unused since (\d+\.\d+\.\d+):/m.exec(text) ?? []
  if (unusedSince !== undefined && oldest !== undefined && !isOlderRelease(oldest, unusedSince)) return []
  // Comments keep their place, so that lines can be counted.
  const code = text.replaceAll(/--[^\n]*/g, (comment) => ' '.repeat(comment.length))
  const problem = (index: number, message: string): Problem => ({ path, line: lineAt(text, index), message })
  const removals = REMOVALS.flatMap(([pattern, fault]) =>
    [...code.matchAll(pattern)].map(({ index }) =>
      problem(
        index,
        `this ${fault}. Only add; remove it once OLDEST_RELEASE of store/migrate.ts no longer uses it, with a line "-- Unused since 1.16.0: …"`,
      ),
    ),
  )
  if (/^-- Harmless to the release before: \S/m.test(text)) return removals
  // The release before knows nothing of a new table.
  const created = new Set([...code.matchAll(/\bcreate\s+table\s+(\w+)/gi)].map(([, table]) => table?.toLowerCase()))
  const risks = RISKS.flatMap(([pattern, fault]) =>
    [...code.matchAll(pattern)]
      .filter(([, table]) => table === undefined || !created.has(table.toLowerCase()))
      .map(({ index }) =>
        problem(index, `this ${fault}. If it does not, say why: "-- Harmless to the release before: …"`),
      ),
  )
  return [...removals, ...risks]
}

function oldestRelease(files: readonly SourceFile[]): string | undefined {
  const file = files.find(({ path }) => path === 'packages/server/src/store/migrate.ts')
  return /^export const OLDEST_RELEASE = '([^']+)'$/m.exec(file?.text ?? '')?.[1]
}
