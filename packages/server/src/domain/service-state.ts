// The state of a service, from what was observed on its server.
import type { ServiceState } from '@shipway/api/oversight/service-states'

export type SeenContainer = {
  readonly status: string
  /** By its own health check; null if it has none. */
  readonly health: string | null
  /** Of its last end; null while it runs for the first time. */
  readonly exitCode: number | null
  readonly restarts: number
  /** It was started less than a minute ago. */
  readonly isYoung: boolean
}

/** What came of a request to the port of a service. `refused`: nothing listens. `silent`: something does, and gave no HTTP answer. */
export type PortAnswer = 'answered' | 'refused' | 'silent'

export type SeenService = {
  /** Without one there is only its port. */
  readonly runsContainer: boolean
  readonly isRouted: boolean
  /** Undefined if it has none, `unasked` where Docker could not be asked. */
  readonly container: SeenContainer | 'unasked' | undefined
  /** Undefined if its port was not tried. */
  readonly answer: PortAnswer | undefined
}

type EarlierState = { readonly state: ServiceState; readonly restarts: number }
export type DerivedState = { readonly state: ServiceState; readonly exitCode: number | null; readonly restarts: number }

export function deriveServiceState(seen: SeenService, earlier: EarlierState): DerivedState {
  const { container, answer } = seen
  if (!seen.runsContainer || container === 'unasked')
    return { state: byPort(seen), exitCode: null, restarts: earlier.restarts }
  // A removed container has ended, too.
  if (!container) return { state: 'exited', exitCode: null, restarts: earlier.restarts }
  const { restarts, exitCode } = container
  const state = byContainer(container, seen, earlier)
  return { state, restarts, exitCode: WORKS.has(state) || answer === 'answered' ? null : exitCode }
}

function byPort({ runsContainer, answer }: SeenService): ServiceState {
  if (answer === undefined) return 'unknown'
  if (answer === 'answered') return 'running'
  return answer === 'refused' && !runsContainer ? 'exited' : 'unhealthy'
}

function byContainer(container: SeenContainer, { isRouted, answer }: SeenService, earlier: EarlierState): ServiceState {
  const { status, health, restarts, isYoung } = container
  if (status === 'restarting') return 'restarting'
  if (status === 'created') return 'starting'
  if (status !== 'running') return status === 'paused' ? 'unhealthy' : 'exited'
  if (health === 'unhealthy') return 'unhealthy'
  const isSilent = isRouted && answer !== undefined && answer !== 'answered'
  // Between two ends it runs for a moment, and may even answer: it stays what it was until it has not ended for a whole round.
  const hasEndedAgain = restarts > earlier.restarts
  if (hasEndedAgain && (isSilent || earlier.state === 'restarting')) return 'restarting'
  if (isSilent) {
    if (isYoung && restarts > 0) return 'restarting'
    return isYoung || health === 'starting' ? 'starting' : 'unhealthy'
  }
  if (health === 'healthy') return 'healthy'
  return health === 'starting' && answer === undefined ? 'starting' : 'running'
}

const WORKS: ReadonlySet<ServiceState> = new Set(['healthy', 'running'])

export const works = (state: ServiceState): boolean => WORKS.has(state)

type KnownState = { readonly state: ServiceState; readonly checkedTaskId: number | null }

/** A deployment that has just switched has checked its services itself, so they count as healthy until the next check. */
const isUnseen = ({ state, checkedTaskId }: KnownState): boolean => state === 'starting' && checkedTaskId === null

export const isDegraded = (routed: readonly KnownState[]): boolean =>
  routed.some((service) => !works(service.state) && !isUnseen(service))

/** Whether all of them responded in the check after the last deployment; null if unknown. */
export function answersNow(routed: readonly KnownState[], lastEndedId: number | null): boolean | null {
  const isKnown = routed.every(({ state, checkedTaskId }) => state !== 'unknown' && checkedTaskId === lastEndedId)
  if (routed.length === 0 || !isKnown) return null
  return routed.every(({ state }) => works(state))
}
