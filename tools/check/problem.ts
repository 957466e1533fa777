// What a rule finds: a place and a sentence that says what to do about it.
import type { SourceFile } from './source-file.ts'

export type Problem = Readonly<{ path: string; line: number; message: string }>

/** A rule looks at every file of the checkout, and never at the disk. */
export type Rule = (files: readonly SourceFile[]) => Problem[]

export function formatProblem({ path, line, message }: Problem): string {
  return `${path}:${line}: ${message}`
}
