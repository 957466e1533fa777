// Reads when an action of `.service.yml` runs by itself: `schedule`, `timezone`, `environments` and `catch_up`.
import { EnvironmentName } from '@shipway/api/values/name'
import { faultOfCron } from '../schedule/cron.ts'
import { isTimeZone, similarTimeZone } from '../schedule/time-zone.ts'
import { addFault, addMissingKey, type ConfigNode, isList, readList, readOptional, readValue } from './config-node.ts'
import type { ActionSchedule } from './repository-config.ts'
import { Flag, Text } from './repository-config-values.ts'

export const SCHEDULE_KEYS = ['schedule', 'timezone', 'environments', 'catch_up'] as const

const MAX_ENVIRONMENTS = 20

/** Null for an action that runs on demand alone. */
export function readSchedule(
  action: ConfigNode,
  field: (key: (typeof SCHEDULE_KEYS)[number]) => ConfigNode | undefined,
): ActionSchedule | null {
  const cron = field('schedule')
  const timeZone = field('timezone')
  const named = field('environments')
  const catchUp = field('catch_up')
  if (!cron) {
    const first = timeZone ?? named ?? catchUp
    if (first)
      addMissingKey(action, 'schedule', {
        offset: first.keyOffset,
        sentence: 'Add schedule, such as "0 3 * * *": timezone, environments and catch_up say how it applies',
      })
    return null
  }
  return {
    cron: readCron(cron),
    timeZone: timeZone ? readTimeZone(timeZone) : 'UTC',
    environments: named ? readEnvironments(named) : [],
    catchesUp: readOptional(catchUp, Flag) ?? false,
  }
}

function readCron(place: ConfigNode): string {
  const text = readValue(place, Text)
  const fault = text === undefined ? undefined : faultOfCron(text)
  if (fault !== undefined) addFault(place, place.offset, fault)
  return text?.trim().replaceAll(/\s+/g, ' ') ?? ''
}

function readTimeZone(place: ConfigNode): string {
  const name = readValue(place, Text)
  if (name !== undefined && !isTimeZone(name)) {
    const meant = similarTimeZone(name)
    const advice = meant === undefined ? '' : `; did you mean ${meant}?`
    addFault(place, place.offset, `Give the name of a time zone, such as Europe/Berlin${advice}`)
  }
  return name ?? ''
}

/** One name may stand for a list of one. Names such as pr-7 are refused: the settings of the environment turn schedules on there. */
function readEnvironments(place: ConfigNode): readonly string[] {
  const names = isList(place) ? (readList(place, MAX_ENVIRONMENTS) ?? []) : [place]
  if (isList(place) && names.length === 0) addFault(place, place.offset, 'Name an environment, or leave this out')
  return names.map((name) => readValue(name, EnvironmentName)).filter((name) => name !== undefined)
}
