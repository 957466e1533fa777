// Lines over time: scale, marks, values under the pointer, and a table for screen readers. SVG, without a library.
import { type PointerEvent, useId, useState } from 'react'
import { formatMoment, formatTick } from '../../text/chart-time.ts'
import styles from './chart.module.css'
import { ChartTable } from './chart-table.tsx'
import { type Line, type Mark, pathOf, positionOf, type Slots, ticksOf } from './series.ts'

type ChartProps = {
  readonly title: string
  readonly slots: Slots
  readonly lines: readonly Line[]
  readonly top: number
  readonly format: (value: number) => string
  /** On the axis, where `unit` says the rest. */
  readonly formatTick?: (value: number) => string
  /** Beside the title. */
  readonly unit?: string
  readonly marks?: readonly Mark[]
  /** A line across, such as a limit. */
  readonly limit?: { readonly value: number; readonly label: string } | undefined
}

const COLORS = 6

export const colorOf = (index: number): string => `var(--service-${(index % COLORS) + 1})`

export function LineChart({ title, slots, lines, top, format, marks = [], limit, ...more }: ChartProps) {
  const { formatTick: formatValue = format, unit } = more
  const heading = useId()
  const [index, setIndex] = useState<number>()
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setIndex(Math.round(Math.max(0, Math.min(1, (clientX - left) / width)) * (slots.count - 1)))
  }
  const rangeMs = slots.count * slots.stepMs
  return (
    <section className={styles.chart} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        {unit === undefined ? undefined : <span className="tiny faint">{unit}</span>}
      </div>
      <div className={styles.grid} aria-hidden="true">
        <div className={styles.scale}>
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{formatValue(value)}</span>
          ))}
        </div>
        <div
          className={styles.plot}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setIndex(undefined)}
        >
          <Plot slots={slots} lines={lines} top={top} limit={limit} />
          {marks.map((mark) => (
            <DeploymentMark key={`${mark.at} ${mark.label}`} mark={mark} slots={slots} />
          ))}
          {index === undefined ? undefined : (
            <PointerValues index={index} slots={slots} lines={lines} format={format} marks={marks} />
          )}
        </div>
        <div className={styles.times}>
          {ticksOf(slots).map((at) => (
            <span key={at}>{formatTick(at, rangeMs)}</span>
          ))}
        </div>
      </div>
      <div className="visually-hidden">
        <ChartTable title={title} slots={slots} lines={lines} format={format} marks={marks} />
      </div>
    </section>
  )
}

function Plot({ slots, lines, top, limit }: Pick<ChartProps, 'slots' | 'lines' | 'top' | 'limit'>) {
  const isLimitShown = limit !== undefined && limit.value <= top
  return (
    <>
      <svg viewBox={`0 0 ${slots.count - 1} 1`} preserveAspectRatio="none" focusable="false" aria-hidden="true">
        {lines.map(({ name, values, color, isDashed }) => (
          <path
            key={name}
            d={pathOf(values, top)}
            className={isDashed ? `${styles.line} ${styles.dashed}` : styles.line}
            style={{ stroke: colorOf(color) }}
          />
        ))}
      </svg>
      {isLimitShown ? (
        <div className={styles.limit} style={{ bottom: `${(limit.value / top) * 100}%` }}>
          <span>{limit.label}</span>
        </div>
      ) : undefined}
    </>
  )
}

function DeploymentMark({ mark, slots }: { readonly mark: Mark; readonly slots: Slots }) {
  const position = positionOf(slots, mark.at)
  if (position === undefined) return null
  return (
    <i
      className={mark.isBad ? `${styles.mark} ${styles.bad}` : styles.mark}
      style={{ left: `${position * 100}%` }}
      title={mark.label}
    />
  )
}

type PointerProps = Pick<ChartProps, 'slots' | 'lines' | 'format'> & {
  readonly index: number
  readonly marks: readonly Mark[]
}

function PointerValues({ index, slots, lines, format, marks }: PointerProps) {
  const position = index / (slots.count - 1)
  const at = slots.from + index * slots.stepMs
  // A mark is hit within a hundredth of the chart.
  const near = marks.filter((mark) => Math.abs((positionOf(slots, mark.at) ?? 9) - position) < 0.01)
  return (
    <>
      <i className={styles.cursor} style={{ left: `${position * 100}%` }} />
      <div
        className={styles.values}
        style={
          position > 0.5
            ? { right: `calc(${(1 - position) * 100}% + 8px)` }
            : { left: `calc(${position * 100}% + 8px)` }
        }
      >
        <div className="tiny faint figures">{formatMoment(at, slots.stepMs)}</div>
        {lines.map(({ name, values, color, isDashed, of }) => {
          const value = values[index] ?? null
          return (
            <div key={name} className={styles.value}>
              <i
                className={isDashed ? `${styles.key} ${styles.dashedKey}` : styles.key}
                style={{ color: colorOf(color) }}
              />
              <span className="cut">{name}</span>
              <span className="figures strong">
                {value === null ? 'not measured' : `${format(value)}${of === undefined ? '' : ` ${of}`}`}
              </span>
            </div>
          )
        })}
        {near.map(({ at: markedAt, label, isBad }) => (
          <div key={`${markedAt} ${label}`} className={isBad ? 'tiny bad' : 'tiny quiet'}>
            {label}
          </div>
        ))}
      </div>
    </>
  )
}
