// What was proven, one line of JSON a part, written when the part ends. So an interrupted proof goes on where it stopped.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Part } from './parts.ts'

export type Result = {
  readonly name: string
  /** The last commit that changed the code that was proven. */
  readonly commit: string
  readonly minutes: number
  readonly loadBefore: number
  readonly holds: boolean
  /** The last lines that it printed. */
  readonly summary: string
}

/** The newest result of each part. */
export function readResults(file: string): ReadonlyMap<string, Result> {
  if (!existsSync(file)) return new Map()
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const results = whole.map((line): Result => JSON.parse(line))
  return new Map(results.map((result) => [result.name, result]))
}

/** A part that failed runs again. */
export const isProven = (result: Result | undefined, commit: string): boolean =>
  result?.holds === true && result.commit === commit

export function writeResult(file: string, result: Result): void {
  appendFileSync(file, `${JSON.stringify(result)}\n`)
}

export function writeReport(
  file: string,
  parts: Readonly<Record<string, Part>>,
  results: ReadonlyMap<string, Result>,
): void {
  const rows = Object.entries(parts).map(([name, { claim }]) => rowOf({ name, claim }, results.get(name)))
  const table = ['| part | claim | holds | commit | minutes | load before |', '|---|---|---|---|---|---|', ...rows]
  const outputs = Object.keys(parts).flatMap((name) => {
    const result = results.get(name)
    return result ? [`## ${name}\n\n\`\`\`\n${result.summary}\n\`\`\`\n`] : []
  })
  writeFileSync(file, [INTRODUCTION, ...table, '', ...outputs].join('\n'))
}

const INTRODUCTION = `# What was proven at length

\`npm run proof\` runs each part and writes this page. It goes on where it was interrupted, and runs again what did not hold.
\`npm run proof -- load kills\` runs these parts again. A result counts for the commit beside it. A part without a result was not run yet.
`

type Row = { readonly name: string; readonly claim: string }

function rowOf({ name, claim }: Row, result: Result | undefined): string {
  if (!result) return `| ${name} | ${claim} | not run | | | |`
  const { holds, commit, minutes, loadBefore } = result
  const cells = [name, claim, holds ? 'yes' : '**no**', commit.slice(0, 9), minutes.toFixed(1), loadBefore.toFixed(1)]
  return `| ${cells.join(' | ')} |`
}
