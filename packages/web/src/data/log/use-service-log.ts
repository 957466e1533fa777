// The service log of a page, read while the page is shown.
import type { LiveOutputOptions } from '@shipway/api'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { listen } from '../live.ts'
import { ServiceLog } from './service-log.ts'

/** Other options, or another `attempt`, begin anew. */
export function useServiceLog(environmentId: number, options: LiveOutputOptions, attempt: number): ServiceLog {
  const wanted = JSON.stringify(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines need another store
  const log = useMemo(() => new ServiceLog(), [environmentId, wanted, attempt])
  useEffect(
    () => listen(`environment:${environmentId}:output`, (update) => log.handleUpdate(update), JSON.parse(wanted)),
    [environmentId, wanted, log],
  )
  useSyncExternalStore(log.watch, () => log.version)
  return log
}
