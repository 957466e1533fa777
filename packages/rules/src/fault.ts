// What is wrong with the files of a commit, in words for whoever wrote them.

/** `line` and `column` are of the file, and count from 1. */
export type Fault = {
  readonly file: string
  readonly line: number
  readonly column: number
  /** What is wrong, and what to do. */
  readonly sentence: string
}

/** What the platform does with a commit that its files do not say themselves. Nothing is wrong with them. */
export type Remark = Fault

export const faultLine = ({ file, line, column, sentence }: Fault): string => `${file}:${line}:${column}: ${sentence}`
