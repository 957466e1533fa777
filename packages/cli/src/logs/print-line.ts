// Prints a log line: colored by service on a terminal, plain elsewhere, as an object with --json.
import { styleText } from 'node:util'
import { safeJson } from '../report.ts'
import type { Sink } from '../terminal/sink.ts'
import { timeOfDay } from '../terminal/times.ts'
import { pad, widthOf } from '../terminal/width.ts'
import type { LogLine } from './log-line.ts'

export type PrintLine = (line: LogLine) => void

export function linePrinter(out: Sink, { isJson }: { readonly isJson: boolean }): PrintLine {
  if (isJson) return (line) => out.writeRaw(`${safeJson(line)}\n`)
  if (!out.isTerminal)
    return ({ time, service, text }) => out.print(`${toMilliseconds(time)} ${service} ${withoutCarriageReturns(text)}`)
  const colors = new Map<string, Color>()
  let columns = 0
  return ({ time, service, text }) => {
    columns = Math.min(MOST_COLUMNS, Math.max(columns, widthOf(service)))
    const color = colors.get(service) ?? COLORS[colors.size % COLORS.length] ?? 'cyan'
    colors.set(service, color)
    const name = pad(service, columns)
    out.print(
      `${out.paint.faint(localTime(time))} ${out.hasColor ? paint(color, name) : name} ${withoutCarriageReturns(text)}`,
    )
  }
}

/** In the order in which services appear. Red is for what failed. */
const COLORS = ['cyan', 'magenta', 'green', 'blue', 'yellow', 'cyanBright', 'magentaBright', 'greenBright'] as const
type Color = (typeof COLORS)[number]
const MOST_COLUMNS = 24

const paint = (color: Color, text: string): string => styleText(color, text, { validateStream: false })

/** A carriage return would make one line look like several. */
const withoutCarriageReturns = (text: string): string => text.replace(/\r$/, '').replaceAll('\r', ' ')

const toMilliseconds = (time: string): string => `${time.slice(0, 23)}Z`

/** In local time, with the date unless it is today. */
function localTime(time: string): string {
  const date = new Date(toMilliseconds(time))
  const isToday = date.toDateString() === new Date().toDateString()
  return isToday ? timeOfDay(date) : `${date.toLocaleDateString('sv')} ${timeOfDay(date)}`
}
