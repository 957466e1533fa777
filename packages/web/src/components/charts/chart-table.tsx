// The values of a chart as a table, for screen readers.
import { formatMoment } from '../../text/chart-time.ts'
import { type Line, type Mark, positionOf, rowsOf, type Slots } from './series.ts'

type TableProps = {
  readonly title: string
  readonly slots: Slots
  readonly lines: readonly Line[]
  readonly format: (value: number) => string
  readonly marks: readonly Mark[]
}

export function ChartTable({ title, slots, lines, format, marks }: TableProps) {
  const rows = rowsOf(
    slots,
    lines.map(({ values }) => values),
  )
  const shown = marks.filter(({ at }) => positionOf(slots, at) !== undefined)
  return (
    <>
      <table>
        <caption>{title}: the highest value of each part of the time, the newest last</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {lines.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ time, values }) => (
            <tr key={time}>
              <th scope="row">{formatMoment(time, slots.stepMs)}</th>
              {lines.map(({ name, of }, index) => {
                const value = values[index] ?? null
                return (
                  <td key={name}>
                    {value === null ? 'Not measured' : `${format(value)}${of === undefined ? '' : ` ${of}`}`}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 ? undefined : (
        <ul>
          {shown.map(({ at, label }) => (
            <li key={`${at} ${label}`}>
              {formatMoment(at, slots.stepMs)}: {label}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
