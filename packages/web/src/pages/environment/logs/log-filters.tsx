// Which lines are shown: services, and a range of time.
import { type ReactNode, useId } from 'react'
import output from '../../../components/output/output.module.css'
import type { LogSearchParams, Range, ShownRange } from './log-range.ts'
import { formatLogTime } from './log-time.ts'
import styles from './logs.module.css'
import type { ServicePalette } from './service-palette.ts'

type LogFiltersProps = {
  readonly palette: ServicePalette
  /** Empty: all services. */
  readonly chosen: readonly string[]
  readonly range: ShownRange
  readonly at: string | undefined
  readonly onServices: (names: readonly string[]) => void
  readonly onRange: (range: Pick<LogSearchParams, 'range' | 'since' | 'until'>) => void
}

export function LogFilters({ palette, chosen, range, at, onServices, onRange }: LogFiltersProps) {
  const toggle = (name: string): void =>
    onServices(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name])
  return (
    <search className={styles.filters} aria-label="Filter logs">
      <RangeChoice range={range} at={at} onRange={onRange} />
      {range.name === 'custom' ? <CustomRange range={range} onRange={onRange} /> : undefined}
      {palette.size > 1 ? (
        <fieldset className={styles.services}>
          <legend className="visually-hidden">Services</legend>
          <Toggle isPressed={chosen.length === 0} onClick={() => onServices([])}>
            All services
          </Toggle>
          {[...palette].map(([name, color]) => (
            <Toggle key={name} isPressed={chosen.includes(name)} onClick={() => toggle(name)}>
              <i style={{ background: color }} />
              {name}
            </Toggle>
          ))}
        </fieldset>
      ) : undefined}
    </search>
  )
}

type ToggleProps = { readonly isPressed: boolean; readonly onClick: () => void; readonly children: ReactNode }

const Toggle = ({ isPressed, onClick, children }: ToggleProps) => (
  <button type="button" className={`${output.toggle} ${styles.choice}`} aria-pressed={isPressed} onClick={onClick}>
    {children}
  </button>
)

const NAMES: Readonly<Record<Range, string>> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  custom: 'Custom range',
}

type RangeProps = Pick<LogFiltersProps, 'range' | 'onRange'>

function RangeChoice({ range, at, onRange }: RangeProps & Pick<LogFiltersProps, 'at'>) {
  const choose = (name: string): void => {
    const next = (Object.keys(NAMES) as Range[]).find((known) => known === name)
    if (next === undefined) onRange({})
    else onRange(next === 'custom' ? { range: next, since: range.since ?? hourAgo() } : { range: next })
  }
  return (
    <select
      className={styles.range}
      aria-label="Time range"
      value={range.name}
      onChange={({ target }) => choose(target.value)}
    >
      {range.name === 'around' ? <option value="around">Around {formatLogTime(at ?? '')}</option> : undefined}
      <option value="latest">Latest lines</option>
      {Object.entries(NAMES).map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  )
}

function CustomRange({ range: { since, until }, onRange }: RangeProps) {
  const change = (next: { readonly since?: string | undefined; readonly until?: string | undefined }): void => {
    const { since: from, until: to } = { since, until, ...next }
    onRange({ range: 'custom', ...(from && { since: from }), ...(to && { until: to }) })
  }
  return (
    <>
      <Moment label="From" value={since} onValue={(next) => change({ since: next })} />
      <Moment label="To" value={until} onValue={(next) => change({ until: next })} />
    </>
  )
}

type MomentProps = {
  readonly label: string
  readonly value: string | undefined
  readonly onValue: (value: string | undefined) => void
}

/** Without a time, the range has no end there. Keyed by its value, so that typing is not overwritten. */
function Moment({ label, value, onValue }: MomentProps) {
  const id = useId()
  const save = (text: string): void => onValue(text === '' ? undefined : new Date(text).toISOString())
  return (
    <span className={styles.moment}>
      <label htmlFor={id}>{label}</label>
      <input
        key={value}
        id={id}
        type="datetime-local"
        step={1}
        defaultValue={value === undefined ? '' : localOf(new Date(value))}
        onBlur={({ target }) => target.value !== target.defaultValue && save(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && save(currentTarget.value)}
      />
    </span>
  )
}

/** `2026-01-31T13:00:00`, in the user's time zone. */
const localOf = (date: Date): string => `${date.toLocaleDateString('sv')}T${date.toLocaleTimeString('sv')}`

const hourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString()
