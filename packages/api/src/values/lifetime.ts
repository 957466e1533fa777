/** How long something stays: whole hours or days, such as `72h` or `7d`. */
import { z } from 'zod'
import { rule } from './rule.ts'

const MOST_HOURS = 365 * 24

export const Lifetime = z
  .string()
  .check(
    rule(
      'invalid_duration',
      'Give hours or days from 1h to 365d, such as 72h or 7d',
      (text) => hoursOfLifetime(text) !== undefined,
    ),
  )
  .meta({ pattern: '^[1-9][0-9]{0,3}[hd]$' })

const MOST_UPLOAD_HOURS = 7 * 24

export const UploadLifetime = z
  .string()
  .check(
    rule(
      'invalid_duration',
      'Give hours or days from 1h to 7d, such as 12h or 3d',
      (text) => (hoursOfLifetime(text) ?? Number.POSITIVE_INFINITY) <= MOST_UPLOAD_HOURS,
    ),
  )
  .meta({ pattern: '^[1-9][0-9]{0,2}[hd]$' })

/** Undefined for what is no such duration. */
export function hoursOfLifetime(text: string): number | undefined {
  const [, count, unit] = /^([1-9][0-9]{0,3})([hd])$/.exec(text) ?? []
  const hours = Number(count) * (unit === 'd' ? 24 : 1)
  return hours <= MOST_HOURS ? hours : undefined
}

export const lifetimeOfHours = (hours: number): string => (hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`)
