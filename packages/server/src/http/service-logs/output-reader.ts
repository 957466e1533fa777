// A reader of service logs: what it asked for, and why it may get nothing.
import type { LiveOutputOptions } from '@shipway/api/live'
import type { Context } from '../../context.ts'
import type { SocketWriter } from '../live/socket-writer.ts'
import type { LineTopic } from './encode-lines.ts'

export type OutputReader = {
  readonly ctx: Context
  readonly topic: LineTopic
  readonly options: LiveOutputOptions
  readonly writer: Pick<SocketWriter, 'send' | 'sendInTurn' | 'room'>
}

export type Fault = {
  readonly kind: 'fault'
  readonly code: string
  readonly detail: string
  /** Services that there are. */
  readonly known?: readonly string[]
}
