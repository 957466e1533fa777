// Why a call to a connected git host failed, and what to do, in the platform's own words.
import { CONNECTION_TYPES } from '@shipway/api/connections'
import type { Connection } from '../../domain/connection.ts'
import { AppFault, type AppFaultCode } from '../../domain/repository/app-fault.ts'
import { HostRefused } from '../../source/git-host/call-host.ts'
import { SourceError } from '../../source/source-error.ts'

export type HostFault = {
  readonly sentence: string
  /** The git host does not accept the credentials: whatever else is asked will fail, too. */
  readonly isRefusal: boolean
  /** It says nothing about the credentials: the git host cannot be asked now. */
  readonly isTemporary: boolean
  readonly retryAfterMs: number
  /** What the connection is then; `failing` by default. */
  readonly status?: 'suspended' | 'removed' | undefined
}

const STATUS_AFTER: Readonly<Partial<Record<AppFaultCode, HostFault['status']>>> = {
  suspended: 'suspended',
  not_installed: 'removed',
  deleted: 'removed',
}

/** `repository`: what the call was about, if it was about one. */
export function explainHostFault(
  error: unknown,
  connection: Pick<Connection, 'type' | 'baseUrl'>,
  repository?: string,
): HostFault {
  const host = `${CONNECTION_TYPES[connection.type].title} at ${new URL(connection.baseUrl).host}`
  const fault = (sentence: string): HostFault => ({
    sentence,
    isRefusal: false,
    isTemporary: false,
    retryAfterMs: 0,
  })
  const pause = (sentence: string, retryAfterMs: number): HostFault => ({
    ...fault(sentence),
    isTemporary: true,
    retryAfterMs,
  })
  if (error instanceof AppFault)
    return {
      sentence: error.message,
      isRefusal: error.isOfApp,
      isTemporary: error.code === 'rate_limited' || error.code === 'failed',
      retryAfterMs: error.retryAfterMs,
      status: STATUS_AFTER[error.code],
    }
  if (error instanceof SourceError) return fault(`${host}: ${error.message}`)
  if (!(error instanceof HostRefused))
    return pause(`${host} could not be asked, or gave an answer that is none. Try again later`, 0)
  const { status, retryAfterMs } = error
  if (status === 401)
    return {
      ...fault(`${host} refuses the token. Make a new one there and replace it in the connection`),
      isRefusal: true,
      retryAfterMs,
    }
  // GitHub limits with 403, too.
  if (status === 429 || (status === 403 && retryAfterMs > 0)) {
    const when = retryAfterMs > 0 ? `in ${Math.ceil(retryAfterMs / 1000)} seconds` : 'later'
    return pause(`${host} is asked too often. It can be asked again ${when}`, retryAfterMs)
  }
  const what = repository === undefined ? '' : ` for ${repository}`
  if (status === 403)
    return fault(
      `The token lacks a right at ${host}${what}. Give it the rights that the documentation lists, or use another one`,
    )
  if (status === 404)
    return fault(
      `${host} has no such repository${repository === undefined ? '' : `: ${repository}`}, or the token does not see it`,
    )
  if (status >= 300 && status < 400)
    return fault(`${host} has moved${repository === undefined ? '' : ` ${repository}`}. Give its new name or address`)
  return pause(`${host} answered with ${status}. Try again later`, retryAfterMs)
}
