// Finds keys that Compose refuses together, and incomplete sections.
import type { JsonObject } from '../model.ts'
import { isSet, objectOf } from '../policy/policy-rules.ts'
import { within } from '../policy/refusal.ts'
import type { FormFault } from './check-kinds.ts'

/** `document` is the resolved one. */
export function checkConflicts(document: JsonObject): readonly FormFault[] {
  return [
    ...Object.entries(objectOf(document.services)).flatMap(([name, service]) =>
      ofService(within('services', name), objectOf(service)),
    ),
    ...Object.entries(objectOf(document.secrets)).flatMap(([name, secret]) =>
      ofSecret(within('secrets', name), objectOf(secret)),
    ),
  ]
}

function ofService(key: string, service: JsonObject): FormFault[] {
  const { replicas, resources } = objectOf(service.deploy)
  const limits = objectOf(objectOf(resources).limits)
  const reservations = objectOf(objectOf(resources).reservations)
  const count = Number(service.scale ?? replicas ?? 1)
  const pairs = [
    ['scale', 'deploy.replicas', service.scale, replicas],
    ['cpus', 'deploy.resources.limits.cpus', service.cpus, limits.cpus],
    ['mem_limit', 'deploy.resources.limits.memory', service.mem_limit, limits.memory],
    ['mem_reservation', 'deploy.resources.reservations.memory', service.mem_reservation, reservations.memory],
    ['pids_limit', 'deploy.resources.limits.pids', service.pids_limit, limits.pids],
  ] as const
  return [
    ...pairs.flatMap(([one, other, first, second]) =>
      isSet(first) && isSet(second) && amountOf(first) !== amountOf(second)
        ? [{ key: `${key}.${one}`, sentence: `${key}.${one} and ${other} are not the same. Keep one of them` }]
        : [],
    ),
    ...(isSet(service.container_name) && count > 1
      ? [
          {
            key: `${key}.container_name`,
            sentence: `${key}.container_name is one name for ${count} containers. Remove it`,
          },
        ]
      : []),
  ]
}

/** `512m` and `0.5g` are the same amount. */
function amountOf(value: unknown): number {
  const [, amount = '', unit = ''] = /^([0-9.]+)\s*([kmgtp]?)i?b?$/i.exec(String(value)) ?? []
  return Number(amount) * 1024 ** ' kmgtp'.indexOf(unit.toLowerCase() || ' ')
}

function ofSecret(key: string, { file, environment, external }: JsonObject): FormFault[] {
  if (external === true || isSet(file) !== isSet(environment)) return []
  const sentence = `${key} needs file or environment, and not both: where its value comes from`
  return [{ key, sentence }]
}
