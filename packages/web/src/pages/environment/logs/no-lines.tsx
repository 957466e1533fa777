// Why no lines are shown.
import type { ServiceOutput } from '@shipway/api'
import { Button } from '../../../components/button.tsx'
import output from '../../../components/output/output.module.css'
import { useConnectionState } from '../../../data/live.ts'
import type { ServiceLog } from '../../../data/log/service-log.ts'
import { describeServiceState, isUp } from '../../../text/service-state.ts'
import type { ShownRange } from './log-range.ts'

type NoLinesProps = {
  readonly log: ServiceLog
  readonly range: ShownRange
  readonly services: readonly ServiceOutput[]
  readonly chosen: readonly string[]
  readonly onRetry: () => void
}

export function NoLines({ log, range, services, chosen, onRetry }: NoLinesProps) {
  const connection = useConnectionState()
  const isLoading = log.state === 'connecting' || log.state === 'reading'
  const stopped = services.filter((service) => chosen.includes(service.name) && !isUp(service))
  return (
    <div className={output.nothing} role="status" aria-busy={isLoading || undefined}>
      <p>{sentenceOf(log, connection === 'offline', range)}</p>
      {log.state === 'refused' ? (
        <Button isSmall onClick={onRetry}>
          Try again
        </Button>
      ) : (
        stopped.map((service) => (
          <p key={service.name}>
            {service.name}: {describeServiceState(service)}
          </p>
        ))
      )}
    </div>
  )
}

function sentenceOf({ state, refusal }: ServiceLog, isOffline: boolean, { name, until }: ShownRange): string {
  if (state === 'gone') return 'You no longer have access to these logs.'
  if (state === 'refused') return refusal?.detail ?? 'The platform refused to read these logs.'
  if (isOffline) return 'Offline. Reconnecting …'
  if (state === 'connecting') return 'Connecting …'
  if (state === 'reading') return 'Reading the logs …'
  if (name === 'latest') return 'No lines yet. New lines appear here.'
  return until === undefined ? 'No lines in this range yet. New lines appear here.' : 'Nothing printed in this range.'
}
