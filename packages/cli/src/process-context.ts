// What the program is started with.
import type { Config } from './config.ts'

export type ProcessContext = {
  readonly config: Config
  readonly stdin: () => NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly folder: string
  /** From now on Ctrl-C aborts this signal instead of ending the process. */
  readonly listenForInterrupt: () => AbortSignal
}
