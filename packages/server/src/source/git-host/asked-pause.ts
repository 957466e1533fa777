// How long a git host asks to be left alone, whatever failed.
import { AppFault } from '../../domain/repository/app-fault.ts'
import { HostRefused } from './call-host.ts'

/** 0 if it does not ask. */
export const askedPauseMs = (error: unknown): number =>
  error instanceof HostRefused || error instanceof AppFault ? error.retryAfterMs : 0
