// Refuses regular expressions of the product that a stranger's text can keep busy: tried from many beginnings, or in many ways, they take a
// time that grows with the square of its length, or doubles with each sign, and the process answers nothing else meanwhile.
import { analyse, type Report } from 'scslre'
import type { Problem, Rule } from './problem.ts'
import { isProductCode, lineAt, type SourceFile } from './source-file.ts'

/** The last alternative of a line of `.env` takes all that is left, so no other way is tried. */
const HARMLESS: readonly Readonly<{ path: string; begin: string }>[] = [
  { path: 'packages/rules/src/compose/source/dotenv.ts', begin: '^[ \\t]*(?:export' },
]

export const slowExpressions: Rule = (files) => files.filter(({ path }) => isProductCode(path)).flatMap(slowIn)

function slowIn({ path, text, code }: SourceFile): Problem[] {
  // The content of a literal is blank in `code`, and so is all of a comment.
  return [...code.matchAll(/\/( +)\/([dgimsuvy]*)(?!\w)/g)].flatMap(({ index, 1: blank = '', 2: flags = '' }) => {
    const source = text.slice(index + 1, index + 1 + blank.length)
    if (HARMLESS.some((known) => known.path === path && source.startsWith(known.begin))) return []
    const [report] = analyse({ source, flags }).reports
    return report === undefined ? [] : [{ path, line: lineAt(text, index), message: adviceOn(report) }]
  })
}

function adviceOn({ type, exponential }: Report): string {
  const time = exponential
    ? 'doubles with each sign of some texts'
    : 'grows with the square of the length of some texts'
  return type === 'Move'
    ? `the time of this expression ${time}; begin it with ^, or with a lookbehind for what it repeats: (?<!x)x+$`
    : `the time of this expression ${time}; let no two parts of it match the same signs, or split the text instead`
}
