// What calls of a source take beside their subject: where output goes, when to stop, and who learns of a new host key.
import type { ConnectOptions } from './connection.ts'
import type { GitIo } from './run-git.ts'

export type SourceIo = GitIo & Pick<ConnectOptions, 'onHostKey'>
