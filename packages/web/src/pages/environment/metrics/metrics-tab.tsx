// CPU, memory and network of an environment's services, with its deployments on the time axis.
import type { Environment, EnvironmentMetrics, MetricsRange } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { RangeButtons } from '../../../components/charts/range-buttons.tsx'
import { Empty, Failed, Loading } from '../../../components/states.tsx'
import { metricsQuery } from '../../../data/metrics.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import styles from './metrics.module.css'
import { ServiceCharts } from './service-charts.tsx'
import { ServiceLegend } from './service-legend.tsx'
import { ServicesTable } from './services-table.tsx'

export function MetricsTab() {
  const { environment } = useCurrentPage()
  const { range = '2h' } = useSearch({ from: '/signed-in/environments/$environmentId/environment/metrics' })
  return environment === undefined ? null : <Metrics environment={environment} range={range} />
}

type MetricsProps = { readonly environment: Environment; readonly range: MetricsRange }

function Metrics({ environment, range }: MetricsProps) {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(metricsQuery(environment.id, range))
  const [chosen, setChosen] = useState<string>()
  const show = (wanted: MetricsRange): void => {
    const search = wanted === '2h' ? {} : { range: wanted }
    const params = { environmentId: environment.id }
    void navigate({ to: '/environments/$environmentId/metrics', params, search, replace: true })
  }
  const hasChosen = data?.services.some(({ name }) => name === chosen) ?? false
  return (
    <>
      <div className={styles.bar}>
        <RangeButtons range={range} onChange={show} />
        {data && data.services.length > 1 ? (
          <ServiceLegend services={data.services} chosen={hasChosen ? chosen : undefined} onChoose={setChosen} />
        ) : undefined}
      </div>
      {data === undefined ? (
        error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading rows={6} what="Loading metrics" />
        )
      ) : data.services.length === 0 ? (
        <NothingYet environment={environment} range={range} />
      ) : (
        <Measured environment={environment} metrics={data} chosen={hasChosen ? chosen : undefined} />
      )}
    </>
  )
}

type MeasuredProps = {
  readonly environment: Environment
  readonly metrics: EnvironmentMetrics
  readonly chosen: string | undefined
}

function Measured({ environment, metrics, chosen }: MeasuredProps) {
  return (
    <>
      <ServicesTable metrics={metrics} />
      <ServiceCharts environmentId={environment.id} metrics={metrics} chosen={chosen} />
    </>
  )
}

const WAITS: Readonly<Record<MetricsRange, string>> = {
  '2h': 'a minute',
  '2d': 'five minutes',
  '30d': 'five minutes',
}

function NothingYet({ environment, range }: MetricsProps) {
  if (environment.live === null)
    return (
      <Empty title="Nothing runs yet">
        The platform measures CPU, memory and network of each service every 30 seconds, from the first deployment on.
      </Empty>
    )
  return (
    <Empty title="No samples yet">
      The platform measures each service every 30 seconds. The first figures of this range come within {WAITS[range]}.
      If they do not, check the server: nothing is measured while it is unreachable.
    </Empty>
  )
}
