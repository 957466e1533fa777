// What it means for an App that GitHub refused a call.
import { AppFault, type AppFaultCode } from '../../domain/repository/app-fault.ts'
import { HostRefused } from '../git-host/call-host.ts'

/** `notFound` is what a 404 means for this call. */
export function appFaultOf(error: unknown, notFound: AppFaultCode = 'not_installed'): unknown {
  if (!(error instanceof HostRefused)) return error
  const { status, retryAfterMs } = error
  const isLimited = status === 429 || (status === 403 && retryAfterMs > 0)
  if (isLimited) return new AppFault('rate_limited', { retryAfterMs: retryAfterMs || MINUTE_MS, cause: error })
  const code = CODES[status] ?? (status === 404 ? notFound : 'failed')
  return new AppFault(code, { cause: error })
}

const CODES: Readonly<Record<number, AppFaultCode>> = {
  401: 'key_refused',
  403: 'suspended',
  422: 'repository_refused',
}

/** What GitHub asks for where it says nothing else. */
const MINUTE_MS = 60_000
