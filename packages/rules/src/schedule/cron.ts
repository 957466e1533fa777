// Cron expressions of five fields: minute, hour, day of the month, month, day of the week. Numbers, names, ranges, lists and steps.
import { Cron } from 'croner'

const FIELDS = [
  { name: 'minute', form: '0 to 59', names: '' },
  { name: 'hour', form: '0 to 23', names: '' },
  { name: 'day of the month', form: '1 to 31', names: '' },
  { name: 'month', form: '1 to 12 or jan to dec', names: 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec' },
  { name: 'day of the week', form: '0 to 7 or sun to sat', names: 'sun|mon|tue|wed|thu|fri|sat' },
] as const

const MOST_CHARACTERS = 200
const EXAMPLE = 'Give five fields: minute, hour, day of the month, month, day of the week, such as "0 3 * * mon-fri"'

/** What is wrong with an expression and what to do; undefined for one that comes due. */
export function faultOfCron(text: string): string | undefined {
  const fields = fieldsOf(text)
  if (text.length > MOST_CHARACTERS || fields.length !== FIELDS.length) return EXAMPLE
  for (const [index, { name, form, names }] of FIELDS.entries()) {
    const field = fields[index] ?? ''
    if (isPlain(field, names) && isRead(FIELDS.map((_, other) => (other === index ? field : '*')).join(' '))) continue
    return `${field} is no ${name}. Give * or ${form}; with ranges (2-5), lists (1,4) and steps (*/2), from low to high`
  }
  return createCron(text).next(0) === undefined
    ? 'It never comes due: no such day exists. Change the day or the month'
    : undefined
}

export type CronCalendar = {
  /** `*`: the expression counts hours that pass, instead of naming hours of the day. */
  readonly isEveryHour: boolean
  /** The first time after this one. Both are local times, written as if they were UTC. */
  next(after: number): number | undefined
}

/** Throws where `faultOfCron` finds a fault. */
export function createCron(text: string): CronCalendar {
  const cron = new Cron(text, { timezone: 'UTC', mode: '5-part', paused: true })
  return {
    isEveryHour: ['*', '*/1'].includes(fieldsOf(text)[1] ?? ''),
    next: (after) => cron.nextRun(new Date(after))?.getTime(),
  }
}

const fieldsOf = (text: string): readonly string[] => text.trim().split(/\s+/)

/** The library knows more, such as `L` and `#`, which other implementations of cron read differently. */
function isPlain(field: string, names: string): boolean {
  const value = names === '' ? '\\d{1,2}' : `(?:\\d{1,2}|${names})`
  const part = `(?:\\*|${value}(?:-${value})?)(?:/\\d{1,2})?`
  return new RegExp(`^${part}(?:,${part})*$`, 'i').test(field)
}

function isRead(text: string): boolean {
  try {
    createCron(text)
    return true
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return false
    throw error
  }
}
