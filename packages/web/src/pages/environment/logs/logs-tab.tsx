// Logs of an environment: what its services print, live or of a range of time.
import type { Environment } from '@shipway/api'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type CSSProperties, type MouseEvent, useCallback, useMemo, useRef, useState } from 'react'
import { OutputFrame } from '../../../components/output/output-frame.tsx'
import { OutputRows, type RowsHandle } from '../../../components/output/output-rows.tsx'
import { RowIndex } from '../../../components/output/row-index.ts'
import { useFollow } from '../../../components/output/use-follow.ts'
import { useLogSearch } from '../../../components/output/use-log-search.ts'
import { Empty } from '../../../components/states.tsx'
import { useIsPhone } from '../../../components/use-is-phone.ts'
import { useLiveQuery } from '../../../data/live-query.ts'
import type { ServiceLog } from '../../../data/log/service-log.ts'
import { useServiceLog } from '../../../data/log/use-service-log.ts'
import { servicesQuery } from '../../../data/queries.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import { LogFilters } from './log-filters.tsx'
import { LogFoot } from './log-foot.tsx'
import { LogLine } from './log-line.tsx'
import { type LogSearchParams, outputOptions, shownRange } from './log-range.ts'
import { formatLogTime } from './log-time.ts'
import { LogTools } from './log-tools.tsx'
import styles from './logs.module.css'
import { NoLines } from './no-lines.tsx'
import { servicePalette } from './service-palette.ts'
import { useScrollToLine } from './use-scroll-to-line.ts'

const ADDRESS = '/signed-in/environments/$environmentId/environment/logs'

export function LogsTab() {
  const { environment } = useCurrentPage()
  if (environment === undefined) return null
  if (environment.status === 'new' || environment.status === 'awaiting_approval')
    return <Empty title="No deployment yet">Logs appear here when the first deployment starts its services.</Empty>
  return <Logs key={environment.id} environment={environment} />
}

function Logs({ environment }: { readonly environment: Environment }) {
  const params = useSearch({ from: ADDRESS })
  const { at } = params
  const { data: services = [] } = useLiveQuery(servicesQuery(environment.id))
  const [attempt, setAttempt] = useState(0)
  const chosen = useMemo(() => params.services?.split(',').filter((name) => name !== '') ?? [], [params.services])
  // Choosing a line changes `at` alone, and keeps the lines that are shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above; another attempt counts from now
  const range = useMemo(() => shownRange(params, new Date()), [params.range, params.since, params.until, attempt])
  const log = useServiceLog(environment.id, outputOptions(range, chosen), attempt)
  const { store } = log
  const isOpen = range.until === undefined || Date.parse(range.until) > Date.now()
  const isGrowing = isOpen && ['connecting', 'reading', 'live'].includes(log.state)
  const marked = at === undefined ? undefined : log.linesAt(at)
  const rows = new RowIndex({ before: store.count, sections: [] }, store.dropped, () => true)
  const list = useRef<RowsHandle>(null)
  const isPhone = useIsPhone()
  const [wraps, setWraps] = useState(false)
  const follow = useFollow({ isActive: isGrowing, count: store.count, startsPaused: at !== undefined })
  const goToLine = useScrollToLine({ list, rows, marked: marked?.first, pause: follow.pause })
  const search = useLogSearch(log, ({ line }) => goToLine(line))
  const show = useShow()
  const choose = useCallback(
    (time: string, event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey) return
      event.preventDefault()
      show((before) => ({ ...before, at: time }))
    },
    [show],
  )
  const palette = servicePalette([...services.map(({ name }) => name), ...chosen])
  const isWrapped = wraps || isPhone
  return (
    <div className={styles.page} style={timeWidth(log)}>
      <OutputFrame
        title="Logs"
        search={search}
        follow={follow}
        isGrowing={isGrowing}
        filters={
          <LogFilters
            palette={palette}
            chosen={chosen}
            range={range}
            at={at}
            onServices={(names) => show((before) => withServices(before, names))}
            onRange={(next) => show(({ services: names }) => ({ ...(names && { services: names }), ...next }))}
          />
        }
        tools={
          <LogTools log={log} marked={marked} isWrapped={wraps} onWrap={setWraps} name={`${environment.name}.log`} />
        }
        nothing={
          store.count === 0 ? (
            <NoLines
              log={log}
              range={range}
              services={services}
              chosen={chosen}
              onRetry={() => setAttempt((count) => count + 1)}
            />
          ) : undefined
        }
        foot={
          <LogFoot
            log={log}
            isGrowing={isGrowing}
            isLinkLost={at !== undefined && marked === undefined && log.state === 'ended'}
            onRetry={() => setAttempt((count) => count + 1)}
          />
        }
      >
        <OutputRows
          ref={list}
          label={`Logs of ${environment.name}`}
          isFollowing={follow.isFollowing}
          onFollow={(wanted) => (wanted ? isGrowing && follow.set(true) : follow.pause())}
          count={store.count}
          view={{
            rows,
            isWrapped,
            marked,
            current: search.current,
            renderRow: (row) => (
              <LogLine
                log={log}
                line={store.dropped + row}
                palette={palette}
                isWrapped={isWrapped}
                marked={marked}
                hits={search.hits}
                current={search.current}
                onChoose={choose}
              />
            ),
          }}
        />
      </OutputFrame>
    </div>
  )
}

/** Lines of other days show their date. */
function timeWidth(log: ServiceLog): CSSProperties {
  const first = formatLogTime(log.originOf(log.store.dropped).time)
  return { '--time': `${Math.max(12, first.length)}ch` } as CSSProperties
}

type Change = (before: LogSearchParams) => LogSearchParams

/** Puts into the address what is shown. */
function useShow(): (change: Change) => void {
  const navigate = useNavigate({ from: '/environments/$environmentId/logs' })
  return useCallback(
    (change) => void navigate({ to: '.', search: change, replace: true, resetScroll: false }),
    [navigate],
  )
}

function withServices({ services: _, ...rest }: LogSearchParams, names: readonly string[]): LogSearchParams {
  return names.length === 0 ? rest : { ...rest, services: names.join(',') }
}
