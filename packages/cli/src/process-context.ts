// The process that the client runs in: configuration, streams, folder and Ctrl-C.
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
