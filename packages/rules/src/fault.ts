// Problems in the files of a commit, with their positions.

/** `line` and `column` are of the file, and count from 1. */
export type Fault = {
  readonly file: string
  readonly line: number
  readonly column: number
  /** What is wrong, and what to do. */
  readonly sentence: string
}

/** A change that the platform makes, which the files do not state. It is not an error. */
export type Remark = Fault

export const faultLine = ({ file, line, column, sentence }: Fault): string => `${file}:${line}:${column}: ${sentence}`
