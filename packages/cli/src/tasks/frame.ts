// The current lines of a watched task. Pure: nothing here writes to a terminal.
import type { Phase, Task } from '@shipway/api'
import { plainText } from '../terminal/sanitize.ts'
import type { Paint } from '../terminal/sink.ts'
import { duration } from '../terminal/times.ts'
import { cutTo, pad, widthOf } from '../terminal/width.ts'

export type TaskView = {
  /** `bookshop / staging`. */
  readonly title: string
  readonly task: Task
  /** Milliseconds since the last update of the task. */
  readonly age: number
  /** The end of its output. */
  readonly output: readonly string[]
  /** How long each phase took the last time, in the order of the phases; empty for a first deployment. */
  readonly usual: ReadonlyMap<string, number>
  readonly isSilent: boolean
}

export type FrameOptions = {
  readonly columns: number
  readonly rows: number
  readonly turn: number
  readonly paint: Paint
}

const MOST_LINES = 12

export function frameOf(watched: TaskView, options: FrameOptions): string[] {
  const { task, isSilent } = watched
  const lines: Line[] = [
    { text: header(watched), rank: 2 },
    { text: '', rank: 5 },
    ...(task.status === 'queued' ? [{ text: '  Queued', rank: 1 }] : []),
    ...phaseLines(watched, options),
    { text: '', rank: 5 },
    isSilent
      ? { text: SILENT, color: options.paint.amber, rank: 1 }
      : { text: DETACH, color: options.paint.faint, rank: 4 },
  ]
  const kept = dropLeastImportant(lines, Math.max(1, Math.min(MOST_LINES, options.rows - 1)))
  return kept.map((line) => painted({ ...line, text: cutTo(line.text, options.columns - 1) }))
}

/** The lines that stay on the screen at the end. */
export function lastLines(watched: TaskView, paint: Paint): string[] {
  return [
    header(watched),
    '',
    ...watched.task.phases.map((phase) => painted(phaseLine(watched, phase, { paint, turn: 0 }))),
  ]
}

const DETACH = 'Ctrl-C detaches; the deployment goes on.'
const SILENT = 'The platform does not answer; trying again. The deployment goes on.'

type Color = (text: string) => string

/** The color comes last: only plain text can be cut. */
type Colored = { readonly text: string; readonly color?: Color }
/** The higher the rank, the sooner a line is left out of a small window. */
type Line = Colored & { readonly rank: number }

const painted = ({ text, color }: Colored): string => (color ? color(text) : text)

function dropLeastImportant(lines: readonly Line[], most: number): Line[] {
  const kept = [...lines]
  while (kept.length > most) {
    const highest = Math.max(...kept.map(({ rank }) => rank))
    kept.splice(
      kept.findLastIndex(({ rank }) => rank === highest),
      1,
    )
  }
  return kept
}

function header({ title, task }: TaskView): string {
  const commit =
    task.commit && `${task.commit.sha.slice(0, 7)} ${plainText(firstLine(task.commit.message ?? ''))}`.trim()
  return [title, ...(commit ? [commit] : []), `task ${task.id}`].join(' · ')
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? ''

function phaseLines(watched: TaskView, options: FrameOptions): Line[] {
  const { task, output, usual } = watched
  const begun = new Set(task.phases.map(({ name }) => name))
  const upcoming = [...usual.keys()].filter((name) => !begun.has(name))
  const lines = task.phases.flatMap((phase) => {
    const isCurrent = phase.status === 'running'
    const line = { ...phaseLine(watched, phase, options), rank: isCurrent ? 0 : 3 }
    const printed = isCurrent ? output : []
    const faint = options.paint.faint
    return [line, ...printed.map((text) => ({ text: `      ${plainText(text)}`, color: faint, rank: 4 }))]
  })
  return [
    ...lines,
    ...upcoming.map((name) => ({ text: `  · ${plainText(name)}`, color: options.paint.faint, rank: 6 })),
  ]
}

function phaseLine(
  { task, age, usual }: TaskView,
  phase: Phase,
  { paint, turn }: Pick<FrameOptions, 'paint' | 'turn'>,
): Colored {
  const isRunning = phase.status === 'running'
  const ms = (phase.duration_ms ?? 0) + (isRunning ? age : 0)
  const width = Math.max(8, ...task.phases.map(({ name }) => widthOf(plainText(name))))
  const columns = `${pad(plainText(phase.name), width)}  ${duration(ms).padStart(7)}`
  const [sign, color] = signOf(phase, paint, turn)
  return { text: `  ${sign} ${columns}${remark(phase, usual)}`.trimEnd(), color }
}

function remark(phase: Phase, usual: ReadonlyMap<string, number>): string {
  const step = phase.steps.find(({ status }) => status === phase.status)
  if (phase.status === 'failed') return `   ${plainText(step?.name ?? '')}`
  if (phase.status !== 'running') return ''
  const before = usual.get(phase.name)
  const parts = [...(step ? [plainText(step.name)] : []), ...(before ? [`usually ${duration(before)}`] : [])]
  return `   ${parts.join(' · ')}`
}

function signOf({ status }: Phase, paint: Paint, turn: number): readonly [string, Color] {
  const same: Color = (text) => text
  if (status === 'succeeded') return ['✓', same]
  if (status === 'failed') return ['✗', paint.failed]
  if (status === 'running') return [SPINNER[turn % SPINNER.length] ?? '', paint.accent]
  return ['·', paint.faint]
}

const SPINNER = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']
