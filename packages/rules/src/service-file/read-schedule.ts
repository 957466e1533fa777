// Reads when an action of `.service.yml` runs by itself: `schedule`, `timezone`, `environments` and `catch_up`.
import { EnvironmentName } from '@shipway/api/values/name'
import { faultOfCron } from '../schedule/cron.ts'
import { isTimeZone, similarTimeZone } from '../schedule/time-zone.ts'
import { addFault, addMissingKey, type ConfigNode, isList, readList, readOptional, readValue } from './config-node.ts'
import type { ActionSchedule } from './repository-config.ts'
import { Flag, Text } from './repository-config-values.ts'

export const SCHEDULE_KEYS = ['schedule', 'timezone', 'environments', 'catch_up'] as const

export const MAX_ENVIRONMENTS = 20

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

function readCron(node: ConfigNode): string {
  const text = readValue(node, Text)
  const fault = text === undefined ? undefined : faultOfCron(text)
  if (fault !== undefined) addFault(node, node.offset, fault)
  return text?.trim().replaceAll(/\s+/g, ' ') ?? ''
}

function readTimeZone(node: ConfigNode): string {
  const name = readValue(node, Text)
  if (name !== undefined && !isTimeZone(name)) {
    const meant = similarTimeZone(name)
    const advice = meant === undefined ? '' : `; did you mean ${meant}?`
    addFault(node, node.offset, `Give the name of a time zone, such as Europe/Berlin${advice}`)
  }
  return name ?? ''
}

/** One name may stand for a list of one. Names such as pr-7 are refused: the settings of the environment turn schedules on there. */
function readEnvironments(node: ConfigNode): readonly string[] {
  const names = isList(node) ? (readList(node, MAX_ENVIRONMENTS) ?? []) : [node]
  if (isList(node) && names.length === 0) addFault(node, node.offset, 'Name an environment, or leave this out')
  return names.map((name) => readValue(name, EnvironmentName)).filter((name) => name !== undefined)
}
