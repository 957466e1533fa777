// One line of the logs: its time, which is a link to it, its service, and its text.
import { type MouseEvent, memo } from 'react'
import { hitsOf } from '../../../components/output/hits-of-line.ts'
import { LineText } from '../../../components/output/line-text.tsx'
import lines from '../../../components/output/lines.module.css'
import type { MarkedPart } from '../../../components/output/spans.ts'
import type { Hit } from '../../../data/log/search.ts'
import type { ServiceLog } from '../../../data/log/service-log.ts'
import { formatExact } from '../../../text/ago.ts'
import { formatLogTime } from './log-time.ts'
import styles from './logs.module.css'
import type { ServicePalette } from './service-palette.ts'

type LogLineProps = {
  readonly log: ServiceLog
  readonly line: number
  readonly palette: ServicePalette
  readonly isWrapped: boolean
  readonly marked: { readonly first: number; readonly last: number } | undefined
  readonly hits: readonly Hit[]
  readonly current: Hit | undefined
  readonly onChoose: (time: string, event: MouseEvent) => void
}

export function LogLine({ log, line, palette, isWrapped, marked, hits, current, onChoose }: LogLineProps) {
  const { service, time } = log.originOf(line)
  const isMarked = marked !== undefined && line + 1 >= marked.first && line + 1 <= marked.last
  return (
    <ShownLine
      time={time}
      service={service}
      color={palette.get(service)}
      text={log.store.lineAt(line)}
      marks={hitsOf(line, hits, current)}
      isMarked={isMarked}
      isWhole={isWrapped || isMarked || current?.line === line}
      onChoose={onChoose}
    />
  )
}

type ShownLineProps = {
  readonly time: string
  readonly service: string
  readonly color: string | undefined
  readonly text: string
  readonly marks: readonly MarkedPart[] | undefined
  readonly isMarked: boolean
  readonly isWhole: boolean
  readonly onChoose: LogLineProps['onChoose']
}

const ShownLine = memo(function ShownLine(props: ShownLineProps) {
  const { time, service, color, text, marks, isMarked, isWhole, onChoose } = props
  const classes = [lines.line, styles.line, isMarked && lines.marked, isWhole && lines.whole]
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      <a
        href={`?at=${encodeURIComponent(time)}`}
        title={`${formatExact(new Date(time))} (${time})`}
        onClick={(event) => onChoose(time, event)}
      >
        {formatLogTime(time)}
      </a>
      <span className={styles.service} style={{ color }} title={service}>
        {service}
      </span>
      <LineText text={text} marks={marks} isWhole={isWhole} hasCaret={false} rest="in the download" />
    </div>
  )
})
