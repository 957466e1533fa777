// Lists what cannot be checked before a deployment, since it depends on variables of the environment. Nothing is guessed.
import type { Remark } from '../fault.ts'
import { partsOf } from './policy/check-build-variables.ts'
import { objectOf } from './policy/policy-rules.ts'
import { within } from './policy/refusal.ts'
import type { ReadFiles } from './read-compose-files.ts'
import { faultAt } from './source/collect-sources.ts'
import { interpolate } from './source/interpolation.ts'
import { knownValue } from './source/known-variables.ts'
import type { ReadSource } from './source/read-source.ts'

export function unknownBeforeDeployment({ sources, known }: Pick<ReadFiles, 'sources' | 'known'>): readonly Remark[] {
  const overriding = sources
    .filter(({ hasOverrides }) => hasOverrides)
    .map((source) => faultAt(source, 'services', OVERRIDE))
  const open = sources.flatMap((source) =>
    checkedParts(source).flatMap(({ key, value }) => {
      if (typeof value !== 'string') return []
      const { isKnown, uses } = interpolate(value, (name) => knownValue(known, name))
      if (isKnown) return []
      const names = uses.map(({ name }) => name).filter((name) => typeof knownValue(known, name) === 'string')
      return [faultAt(source, key, sentenceOf(key, [...new Set(names)]))]
    }),
  )
  return [...overriding, ...open]
}

const OVERRIDE = 'The file uses !override, so only Compose knows the merged result'

const sentenceOf = (key: string, names: readonly string[]): string =>
  `${key} depends on ${names.join(', ')} of the environment`

/** Keys whose values the policy checks. */
function checkedParts({ document }: ReadSource) {
  const services = Object.entries(objectOf(document.services)).flatMap(([name, service]) =>
    Object.entries(objectOf(service))
      .filter(([key]) => CHECKED_OF_SERVICE.has(key))
      .map(([key, value]) => ({ key: within(within('services', name), key), value })),
  )
  const sections = CHECKED_SECTIONS.map((key) => ({ key, value: document[key] }))
  return partsOf([...services, ...sections])
}

const CHECKED_SECTIONS = ['networks', 'volumes', 'secrets', 'configs']

const CHECKED_OF_SERVICE: ReadonlySet<string> = new Set(
  (
    'annotations build cap_add cgroup cgroup_parent credential_spec deploy device_cgroup_rules devices gpus ipc isolation ' +
    'network_mode networks pid ports privileged profiles runtime scale security_opt sysctls userns_mode uts volumes volumes_from'
  ).split(' '),
)
